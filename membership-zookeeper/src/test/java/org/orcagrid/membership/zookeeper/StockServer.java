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
package org.orcagrid.membership.zookeeper;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.server.embedded.ExitHandler;
import org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;

/** A server of ZooKeeper's own in this JVM. */
final class StockServer {
  private StockServer() {}

  /** Starts it at a free port; whoever closes it ends it. */
  static ZooKeeperServerEmbedded start(Path folder) throws Exception {
    Files.createDirectories(folder);
    Properties settings = new Properties();
    settings.setProperty("clientPort", "0");
    settings.setProperty("clientPortAddress", "127.0.0.1");
    settings.setProperty("admin.enableServer", "false");
    ZooKeeperServerEmbedded server =
        ZooKeeperServerEmbedded.builder()
            .baseDir(folder)
            .configuration(settings)
            .exitHandler(ExitHandler.LOG_ONLY)
            .build();
    server.start(TimeUnit.SECONDS.toMillis(30));
    return server;
  }
}
