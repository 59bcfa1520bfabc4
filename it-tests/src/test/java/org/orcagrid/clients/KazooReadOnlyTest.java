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
package org.orcagrid.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.orcagrid.cli.ServerProgram;
import org.orcagrid.needs.Needs;

/** kazoo's own test of read-only sessions, with the servers that kazoo starts for it. */
@Needs(KazooTests.class)
@Timeout(300)
class KazooReadOnlyTest {
  /** Three servers with five ports each, ten apart. */
  private static final int PORTS = 30;

  @Test
  void readOnlySessionsAreAsKazooExpects() throws Exception {
    Path shim = Path.of("src", "test", "resources", "clients", "java").toAbsolutePath();
    PythonEnvironment.Ended ended =
        new KazooTests()
            .run(
                Map.of(
                    "PATH",
                    shim.getParent() + File.pathSeparator + System.getenv("PATH"),
                    "JAVA_HOME",
                    System.getProperty("java.home"),
                    "JAVA_TOOL_OPTIONS",
                    "-Xmx96m -XX:TieredStopAtLevel=1",
                    "ZOOKEEPER_CLASSPATH",
                    ServerProgram.serverClassPath(),
                    "ZOOKEEPER_VERSION",
                    "3.9.5",
                    "ZOOKEEPER_PORT_OFFSET",
                    Integer.toString(freePorts())),
                List.of(
                    "-m",
                    "pytest",
                    "-q",
                    // What the servers print tells that they were ours.
                    "-s",
                    "-W",
                    "ignore",
                    "-p",
                    "no:cacheprovider",
                    "--pyargs",
                    "kazoo.tests.test_connection",
                    "-k",
                    "TestReadOnlyMode"));
    assertEquals(0, ended.code(), ended.output());
    assertTrue(ended.output().contains("1 passed"), ended.output());
    assertTrue(ended.output().contains("ORCA server in use"), ended.output());
  }

  private static int freePorts() throws IOException {
    for (int first = 21_000; first < 31_000; first += PORTS) {
      int base = first;
      if (IntStream.range(0, PORTS).allMatch(i -> isFree(base + i))) {
        return first;
      }
    }
    throw new IOException("No " + PORTS + " free ports in a row between 21000 and 31000");
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
