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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.TreeMap;
import org.apache.zookeeper.KeeperException;
import org.junit.jupiter.api.Test;
import org.orcagrid.membership.zookeeper.EnsembleConfig;

/** What is said of votes; {@link GridVotersTest} has servers do it. */
class EnsembleVotesTest {
  private static EnsembleConfig ensemble(int... servers) {
    TreeMap<Integer, String> lines = new TreeMap<>();
    for (int server : servers) {
      lines.put(server, "h" + server + ":2888:3888:participant;2181");
    }
    return new EnsembleConfig(lines);
  }

  private static String refused(EnsembleConfig config, int server) {
    return assertThrows(CommandFailure.class, () -> EnsembleVotes.requireLeavable(config, server))
        .getMessage();
  }

  @Test
  void anEnsembleKeepsTwoVoters() throws Exception {
    EnsembleVotes.requireLeavable(ensemble(1, 2, 3), 3);
    EnsembleVotes.requireLeavable(ensemble(1, 2), 3);
    String two = refused(ensemble(1, 3), 3);
    assertTrue(two.startsWith("The ensemble's voters are servers 1, 3: with fewer than two"), two);
    assertTrue(two.contains("'orca grid add'"), two);
    String alone = refused(ensemble(), 1);
    assertTrue(alone.startsWith("The ensemble is one server"), alone);
    assertTrue(alone.contains("'orca grid start 3' with another --dir"), alone);
  }

  @Test
  void anObserverMayLeaveAlways() throws Exception {
    EnsembleConfig config =
        EnsembleConfig.parse(
            """
            server.1=h1:2888:3888:participant;2181
            server.2=h2:2888:3888:participant;2181
            server.3=h3:2888:3888:observer;2181
            """
                .getBytes(StandardCharsets.UTF_8));
    EnsembleVotes.requireLeavable(config, 3);
    refused(config, 2);
  }

  @Test
  void whatAnEnsembleCanLoseIsSaid() {
    assertTrue(EnsembleVotes.describe(ensemble()).contains("one server"));
    assertTrue(EnsembleVotes.describe(ensemble(4, 7)).contains("servers 4, 7: it needs all"));
    assertEquals(
        "The ensemble's voters are servers 1, 2, 4: it goes on while 2 of them run.",
        EnsembleVotes.describe(ensemble(1, 2, 4)));
    assertTrue(EnsembleVotes.describe(ensemble(1, 2, 3, 4)).endsWith("while 3 of them run."));
    assertTrue(EnsembleVotes.describe(ensemble(1, 2, 3, 4, 5)).endsWith("while 3 of them run."));
  }

  @Test
  void whoMayNotReconfigureIsToldWhatToDo() {
    String auth =
        EnsembleVotes.refused(
                "h1:2181", "reconfig -remove 2", new KeeperException.NoAuthException())
            .getMessage();
    assertTrue(auth.contains("'orca cli -server h1:2181', there 'addauth digest super:"), auth);
    assertTrue(auth.contains("and 'reconfig -remove 2'; then repeat this command."), auth);
    String off =
        EnsembleVotes.refused(
                "h1:2181", "reconfig -remove 2", new KeeperException.ReconfigDisabledException())
            .getMessage();
    assertTrue(off.contains("reconfigEnabled=true"), off);
    String quorum =
        EnsembleVotes.refused(
                "h1:2181", "reconfig -remove 2", new KeeperException.NewConfigNoQuorum())
            .getMessage();
    assertTrue(quorum.contains("would have no quorum after 'reconfig -remove 2': start"), quorum);
  }
}
