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
package example;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.orcagrid.server.OrcaServer;
import org.orcagrid.server.OrcaServerConfig;

/** A server in this JVM, as in the README; its folder is the argument. */
public final class EmbeddedProgram {
  public static void main(String[] arguments) throws Exception {
    System.out.println("greeting=" + greet(Path.of(arguments[0])));
    System.out.println("jackson=" + com.fasterxml.jackson.databind.cfg.PackageVersion.VERSION);
  }

  static String greet(Path dataDir) throws Exception {
    try (var server = OrcaServer.start(OrcaServerConfig.standalone(dataDir))) {
      var client = new ZooKeeper(server.connectString(), 10_000, event -> {});
      try {
        byte[] hello = "hello".getBytes(StandardCharsets.UTF_8);
        client.create("/greeting", hello, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        return new String(client.getData("/greeting", false, null), StandardCharsets.UTF_8);
      } finally {
        client.close();
      }
    }
  }
}
