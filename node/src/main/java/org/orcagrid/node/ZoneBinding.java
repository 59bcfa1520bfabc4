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
package org.orcagrid.node;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.orcagrid.ddp.durable.segment.DurableFiles;
import org.orcagrid.ddp.zone.ZoneDevice;
import org.orcagrid.ddp.zone.ZoneMemory;

/**
 * Binds a node's folder to the memory of its zones: without it, or with another one's, the node
 * would silently lack what has landed.
 */
final class ZoneBinding {
  private static final String FILE = "zones";

  private ZoneBinding() {}

  /**
   * The zones of the node whose logs are in a folder.
   *
   * @param memory null if it is started without
   * @return null if it has none
   * @throws IOException if they are not those that the folder had before
   */
  static ZoneDevice of(Path folder, ZoneMemory memory, int nodes, int workers) throws IOException {
    Path file = folder.resolve(FILE);
    boolean had = Files.exists(file);
    if (memory == null) {
      if (had) {
        throw new IOException(
            "The node of "
                + folder
                + " had zones, and records may be in them that its logs lack: start it with"
                + " them; or, if it was closed in order or the other nodes have all, delete "
                + file);
      }
      return null;
    }
    ZoneDevice device = ZoneDevice.open(memory, nodes, workers, new SecureRandom().nextLong());
    String id = Long.toHexString(device.id());
    if (!had) {
      if (!device.isEmpty()) {
        throw new IOException(
            "There are records of another node in these zones: that of "
                + folder
                + " has had none yet");
      }
      DurableFiles.makeFolder(folder.toAbsolutePath());
      DurableFiles.write(file, StandardCharsets.US_ASCII.encode(id + "\n"));
    } else if (!Files.readString(file).trim().equals(id)) {
      throw new IOException(
          "The node of "
              + folder
              + " had other zones, and records may be in them that its logs lack: start it"
              + " with those; or, if it was closed in order or the other nodes have all, delete "
              + file);
    }
    return device;
  }
}
