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
package org.orcagrid.ratis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.orcagrid.geo.log.LogKind;
import org.orcagrid.geo.log.LogNode;
import org.orcagrid.transport.tcp.HostPort;

class RatisKindTest {
  private static String refusal(HostPort... nodes) {
    LogNode node =
        new LogNode(
            0,
            List.of(nodes),
            1,
            Path.of("none"),
            null,
            new LogNode.Timing(1_000_000_000, 250_000_000),
            reason -> {});
    return assertThrows(IOException.class, () -> new RatisKind().open(node)).getMessage();
  }

  @Test
  void itIsFoundByItsName() {
    assertInstanceOf(RatisKind.class, LogKind.named("ratis"));
  }

  @Test
  void aPortWithoutRoomForRatisIsRefused() {
    String text = refusal(new HostPort("127.0.0.1", 7_500), new HostPort("127.0.0.1", 65_000));
    assertTrue(text.endsWith("127.0.0.1:65000 has no room for; choose a port up to 64535"), text);
  }

  @Test
  void anAddressThatOthersReachIsRefused() {
    assertEquals(
        "geo.log=ratis asks nobody for proof, and 192.0.2.1:7500 is no loopback address; use"
            + " 127.0.0.1 at all nodes, or geo.log=raft",
        refusal(new HostPort("192.0.2.1", 7_500)));
  }
}
