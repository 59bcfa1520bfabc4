/*
 * Copyright 2026 The Orca Grid authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
/**
 * The replication of a map under one of the models: a state machine for each node.
 *
 * <p>{@link org.orcagrid.ddp.replica.Replica} is given operations, packets, views, the time and
 * what has become durable, and says through {@link org.orcagrid.ddp.replica.Effects} what is to be
 * sent, persisted and told. It owns no thread, clock or socket.
 *
 * <p>Below this package is {@code state}. Above that are {@code wire} and {@code log}, which do not
 * know each other. Above those are {@code consistency}, {@code transfer} and {@code removal}, which
 * do not know each other either. This package, on top, makes all parts and dispatches between them.
 *
 * <p>May import {@code org.orcagrid.ddp}, {@code org.orcagrid.ddp.model} and all of these.
 */
package org.orcagrid.ddp.replica;
