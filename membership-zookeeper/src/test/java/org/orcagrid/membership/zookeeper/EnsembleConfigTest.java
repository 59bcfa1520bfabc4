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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EnsembleConfigTest {
  private static final String THREE =
      """
      server.1=127.0.0.1:2888:3888:participant;127.0.0.1:2181
      server.2=zk2:2888:3888:participant;0.0.0.0:2182
      server.3=[::1]:2888:3888|zk3:2888:3888:participant;2183
      server.4=zk4:2888:3888:observer;[::]:2184
      server.5=zk5:2888:3888
      version=100000003\
      """;

  private static EnsembleConfig parse(String text) {
    return EnsembleConfig.parse(text.getBytes(StandardCharsets.UTF_8));
  }

  private static EnsembleConfig voters(int count) {
    StringBuilder text = new StringBuilder();
    for (int server = 1; server <= count; server++) {
      text.append("server.%d=zk%1$d:2888:3888:participant;2181\n".formatted(server));
    }
    return parse(text.toString());
  }

  @Test
  void anObserverIsThereAndHasNoVote() {
    EnsembleConfig config = parse(THREE);
    assertEquals(Set.of(1, 2, 3, 5), config.voters());
    assertTrue(config.has(4));
    assertFalse(config.has(6));
    assertFalse(parse("").has(1), "what a server says that is alone");
  }

  @Test
  void anAddressThatNobodyCanConnectToIsTheServersOwn() {
    assertEquals(
        List.of("127.0.0.1:2181", "zk2:2182", "[::1]:2183", "zk4:2184"), parse(THREE).clients());
  }

  @Test
  void anEvenVoterMoreCanLoseNoMore() {
    List<Integer> losses = List.of(0, 0, 0, 1, 1, 2);
    for (int count = 0; count < losses.size(); count++) {
      assertEquals(losses.get(count), voters(count).losses(), count + " voters");
    }
  }

  @Test
  void aNodeConnectsToTheServersThatThereAreAndToThoseItWasToldOfNext() {
    EnsembleAddresses addresses = EnsembleAddresses.of("zk7:2181,zk8:2181/grids");
    assertEquals("zk7:2181,zk8:2181/grids", addresses.next());
    addresses.follow(voters(2));
    assertEquals("zk1:2181,zk2:2181/grids", addresses.next());
    assertEquals("zk7:2181,zk8:2181/grids", addresses.next(), "when that was in vain");
    assertEquals("zk1:2181,zk2:2181/grids", addresses.next());
    addresses.follow(parse("server.1=zk1:2888:3888"));
    assertEquals("zk7:2181,zk8:2181/grids", addresses.next(), "they do not tell");
  }
}
