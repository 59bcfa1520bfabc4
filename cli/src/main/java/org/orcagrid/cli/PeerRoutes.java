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
package org.orcagrid.cli;

import java.io.IOException;

/**
 * Where one server of an ensemble reaches another: at its own port, or at that of something which
 * stands between them, such as an added delay.
 */
@FunctionalInterface
public interface PeerRoutes {

  /** Every server reaches every other at its own port. */
  PeerRoutes DIRECT = (from, to, port) -> port;

  /**
   * Returns the port on the loopback address that {@code from} uses for port {@code port} of {@code
   * to}, another server.
   *
   * @throws IOException if what stands between them cannot be set up
   */
  int port(int from, int to, int port) throws IOException;
}
