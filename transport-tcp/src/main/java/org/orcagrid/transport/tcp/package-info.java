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
 * The transport over TCP, with Netty: one connection for each pair of workers, run by the worker's
 * own thread, with native epoll where there is one, and TLS with certificates on both sides if it
 * is asked for.
 *
 * <p>Packets are whole or lost, as with datagrams: a connection that ends takes with it what was
 * under way, and a peer that takes nothing is not waited for.
 */
package org.orcagrid.transport.tcp;
