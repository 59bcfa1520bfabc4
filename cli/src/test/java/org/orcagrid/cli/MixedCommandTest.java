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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.mixed.commit.Answer;
import org.orcagrid.mixed.commit.Intent;
import org.orcagrid.mixed.commit.Part;
import org.orcagrid.mixed.level.Causal;
import org.orcagrid.mixed.level.Linearizable;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.store.Operations;
import org.orcagrid.mixed.store.Store;
import org.orcagrid.mixed.store.orca.OrcaStore;
import org.orcagrid.mixed.track.Context;
import org.orcagrid.server.OrcaServer;
import org.orcagrid.server.OrcaServerConfig;

/** At a server of ours, with its linearizable reads. */
class MixedCommandTest {
  @Test
  void statusShowsWhatIsOpen(@TempDir Path folder) throws Exception {
    try (OrcaServer server = OrcaServer.start(OrcaServerConfig.standalone(folder.resolve("data")));
        Store store =
            new OrcaStore(
                "orca",
                server.connectString(),
                "/mixed",
                OrcaStore.Reads.LINEARIZABLE,
                Operations.none())) {
      Path config = folder.resolve("mixed.cfg");
      Files.writeString(config, "store.orca = orca " + server.connectString() + " /mixed\n");
      Cli empty = Cli.run("mixed", "status", config);
      assertEquals(0, empty.exitCode(), empty.err());
      assertTrue(empty.out().contains("Linearizable"), empty.out());

      StoredObject strong = new StoredObject("orca", Linearizable.class, "posts");
      StoredObject weak = new StoredObject("inboxes", Causal.class, "ann");
      TransactionId id = new TransactionId("orca", 1_000, 7);
      Part part = new Part("orca", List.of(write(strong)), Map.of(), null);
      Intent intent =
          new Intent(
              id, List.of(), List.of(new Part("east", List.of(write(weak)), Map.of(), null)));
      assertEquals(Answer.DONE, store.decide(id, part, intent).answer());
      Cli open = Cli.run("mixed", "status", config);
      assertEquals(1, open.exitCode());
      assertTrue(open.err().contains("open for long"), open.err());
    }
  }

  private static Part.Write write(StoredObject object) {
    return new Part.Write(object, null, 1L, Context.NONE);
  }

  @Test
  void aDatabaseThatIsNotThereIsNamed(@TempDir Path folder) throws Exception {
    Path config = folder.resolve("mixed.cfg");
    Files.writeString(config, "store.orca = zookeeper 127.0.0.1:1 /mixed\n");
    Cli status = Cli.run("mixed", "status", config);
    assertEquals(1, status.exitCode());
    assertTrue(status.err().contains("cannot be reached at 127.0.0.1:1"), status.err());
  }
}
