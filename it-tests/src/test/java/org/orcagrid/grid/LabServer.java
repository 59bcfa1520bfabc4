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
package org.orcagrid.grid;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.orcagrid.server.OrcaServer;
import org.orcagrid.server.OrcaServerConfig;
import org.orcagrid.server.settings.OrcaConfigException;
import org.orcagrid.transport.tcp.HostPort;

/** The server of a lab, which knows who is a node of a grid: one process of a load hosts it. */
final class LabServer {
  private LabServer() {}

  /** Starts it at an address, with what it keeps in a folder. */
  static OrcaServer start(HostPort address, Path folder) throws IOException, OrcaConfigException {
    Path file = folder.resolve("zoo.cfg");
    Files.createDirectories(folder);
    List<String> lines =
        List.of(
            "dataDir=" + folder.resolve("server"),
            "clientPortAddress=" + address.host(),
            "clientPort=" + address.port(),
            "tickTime=2000",
            "admin.enableServer=false");
    Files.write(file, lines, UTF_8);
    return OrcaServer.start(OrcaServerConfig.fromZooCfg(file));
  }
}
