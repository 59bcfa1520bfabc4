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
package org.apache.zookeeper.server;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/** The NIO connection factory, with gated connections. */
public final class OrcaNIOServerCnxnFactory extends NIOServerCnxnFactory {

  @Override
  protected NIOServerCnxn createConnection(
      SocketChannel socket, SelectionKey key, SelectorThread selector) throws IOException {
    return new OrcaNIOServerCnxn(zkServer, socket, key, this, selector);
  }
}
