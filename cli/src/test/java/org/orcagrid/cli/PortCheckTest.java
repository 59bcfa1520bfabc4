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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class PortCheckTest {
  @TempDir Path folder;

  @Test
  @EnabledOnOs(OS.LINUX)
  void namesTheTakenPortAndItsOwner() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      ZooCfg cfg = client("127.0.0.1", port);
      CommandFailure failure = assertThrows(CommandFailure.class, () -> PortCheck.requireFree(cfg));
      assertEquals(
          "Port "
              + port
              + " (clientPort) is taken by pid "
              + ProcessHandle.current().pid()
              + " (java); stop that process or change the port in "
              + cfg.file()
              + ".",
          failure.getMessage());
      assertEquals(
          Optional.of(ProcessHandle.current().pid()), PortOwner.find(port).map(ProcessHandle::pid));
    }
  }

  @Test
  void anElectionPortCountsToo() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Files.writeString(folder.resolve("myid"), "1");
      int free = FreePorts.find(1, new Random(1)).get(0);
      ZooCfg cfg =
          read(
              "admin.enableServer=false\ndataDir="
                  + folder
                  + "\nclientPort="
                  + free
                  + "\nserver.1=127.0.0.1:"
                  + taken.getLocalPort()
                  + ":"
                  + free
                  + "\n");
      CommandFailure failure = assertThrows(CommandFailure.class, () -> PortCheck.requireFree(cfg));
      assertTrue(failure.getMessage().contains("server.N line"), failure::getMessage);
    }
  }

  @Test
  void adminServersPortIsTriedUnlessItIsOff() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      String admin = "dataDir=x\nadmin.enableServer=true\nadmin.serverPort=" + port + "\n";
      ZooCfg cfg = read(admin);
      CommandFailure failure = assertThrows(CommandFailure.class, () -> PortCheck.requireFree(cfg));
      String said = failure.getMessage();
      assertTrue(said.startsWith("Port " + port + " (admin.serverPort, of AdminServer) is"), said);
      assertTrue(said.contains("admin.enableServer=false into " + cfg.file()), said);
      PortCheck.requireFree(read(admin + "admin.enableServer=false\n"));
      PortCheck.requireFree(read("dataDir=x\nadmin.enableServer=true\nadmin.serverPort=0\n"));
    }
  }

  @Test
  void anAddressOfAnotherMachineIsNamed() throws Exception {
    // 192.0.2.0/24 is reserved for documentation: no machine has it.
    ZooCfg cfg = client("192.0.2.1", 2181);
    CommandFailure failure = assertThrows(CommandFailure.class, () -> PortCheck.requireFree(cfg));
    assertTrue(
        failure.getMessage().startsWith("Cannot listen on 192.0.2.1:2181"), failure::getMessage);
  }

  @Test
  void freePortsAreDistinctAndFree() throws Exception {
    List<Integer> ports = FreePorts.find(40, new Random(7));
    assertEquals(40, new HashSet<>(ports).size());
    assertTrue(ports.stream().allMatch(FreePorts::free));
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertFalse(FreePorts.free(taken.getLocalPort()));
    }
  }

  @Test
  void portsOfServersThatAreAboutToListenAreNotFree() throws Exception {
    List<Integer> first = FreePorts.find(40, new Random(7));
    List<Integer> second = FreePorts.find(40, new Random(7), new HashSet<>(first));
    assertTrue(second.stream().noneMatch(first::contains));
  }

  private ZooCfg client(String host, int port) throws Exception {
    return read(
        "dataDir=x\nadmin.enableServer=false\nclientPort="
            + port
            + "\nclientPortAddress="
            + host
            + "\n");
  }

  private ZooCfg read(String text) throws Exception {
    return ZooCfg.read(Files.writeString(folder.resolve("zoo.cfg"), text));
  }
}
