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
 * A medium that keeps the latest version of each key in Chronicle Map files, behind a short log.
 *
 * <p>A Chronicle Map is changed in place, and its makers do not promise that it survives a power
 * cut. So there are two files, of which one is whole, forced and never touched, while the other one
 * is brought up to date from the log; then they change places.
 *
 * <p>May import {@code org.orcagrid.ddp}, {@code org.orcagrid.ddp.durable} with its {@code log} and
 * {@code segment}, {@code org.orcagrid.ddp.replica.log} and {@code state} beside it, {@code
 * java.nio} and {@code net.openhft}.
 */
package org.orcagrid.medium.chronicle;
