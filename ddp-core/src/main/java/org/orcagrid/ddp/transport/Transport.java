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
package org.orcagrid.ddp.transport;

import java.io.IOException;

/** A node's way to the other nodes. */
public interface Transport extends AutoCloseable {
  /** The most bytes of a packet of an endpoint beside the workers'. */
  int BESIDE_BYTES_MAX = 512;

  /**
   * Opens the endpoint of a worker.
   *
   * @throws IOException if it cannot be opened, saying what is in the way
   */
  Endpoint open(int worker) throws IOException;

  /**
   * Opens an endpoint for a thread beside the workers, whose packets are short: {@link
   * #BESIDE_BYTES_MAX} at most. Its links are its own, so that they are there while workers wait.
   * Nodes of a grid have such an endpoint all, or none of them has.
   *
   * @return null if this transport has none
   * @throws IOException if it cannot be opened, saying what is in the way
   */
  default Endpoint openBeside() throws IOException {
    return null;
  }

  @Override
  void close();
}
