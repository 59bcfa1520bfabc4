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
package org.orcagrid.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.history.HistoryRecorder;
import org.orcagrid.history.ZnodeLoad;
import org.orcagrid.history.ZnodeLoad.Sort;
import org.orcagrid.server.EmbeddedEnsemble;
import org.orcagrid.simulator.checker.znode.ZnodeHistory;
import org.orcagrid.simulator.checker.znode.ZnodeJudge;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cuts the power of all servers again and again while clients do everything that clients can do,
 * and judges all that they were told, before and after: what was shown is there, and what is lost
 * is the end of an epoch.
 *
 * <p>{@code -Dcuts=100} cuts so often; {@code -Dseed=N} begins with another seed. Threads are real:
 * a seed repeats what is done and not what happens.
 */
@Timeout(value = 2, unit = TimeUnit.HOURS)
class PowerCutHistoryTest {
  private static final Logger LOG = LoggerFactory.getLogger(PowerCutHistoryTest.class);

  private static final int SERVERS = 3;
  private static final int CUTS = Integer.getInteger("cuts", 2);
  private static final int CUTS_OF_ONE_HISTORY = 10;
  private static final long SEED = Long.getLong("seed", 1);
  private static final int WRITE_PERCENT = 40;
  private static final int ANSWERS_MIN = 500;
  private static final int ANSWERS_MAX = 3_000;
  private static final int PATIENCE_SECONDS = 30;

  /** No path is immediate: one such write has all that were before it flushed. */
  private static final Map<String, String> NEVER_FLUSHED =
      Map.of(
          "orca.durability",
          "async",
          "orca.flushIntervalMs",
          "60000",
          "orca.immediatePaths",
          "/none");

  @TempDir Path dir;

  @Test
  void nothingThatWasShownIsLost() throws Exception {
    for (int done = 0; done < CUTS; done += CUTS_OF_ONE_HISTORY) {
      long seed = SEED + done;
      List<String> found = judge(Map.of(), seed, Math.min(CUTS_OF_ONE_HISTORY, CUTS - done));
      assertEquals(List.of(), found.subList(0, Math.min(10, found.size())), () -> "seed " + seed);
    }
  }

  @Test
  void asynchronousDurabilityIsFoundToLoseWhatWasShown() throws Exception {
    List<String> found = List.of();
    for (int n = 0; n < 5 && found.isEmpty(); n++) {
      found = judge(NEVER_FLUSHED, SEED + n, 1);
    }
    assertFalse(found.isEmpty(), "the judge is blind");
  }

  private List<String> judge(Map<String, String> settings, long seed, int cuts) throws Exception {
    HistoryRecorder recorder = new HistoryRecorder();
    List<ForgetfulStorage> disks = new ArrayList<>();
    for (int i = 0; i < SERVERS; i++) {
      disks.add(new ForgetfulStorage(false));
    }
    Random random = new Random(seed);
    try (EmbeddedEnsemble ensemble = ensemble(settings, seed, disks);
        ZnodeLoad load = new ZnodeLoad(recorder, seed, WRITE_PERCENT)) {
      Sort sort = settings.isEmpty() ? Sort.PLAIN : Sort.UNSYNCED;
      load.prepare(ensemble.connectString());
      for (int i = 0; i < SERVERS; i++) {
        load.start("server " + i, ensemble.connectString(i), sort);
      }
      load.start("any server", ensemble.connectString(), sort);
      if (settings.isEmpty()) {
        // Whoever asks for immediate durability has everything flushed, other clients' writes too.
        load.start("any server, durable", ensemble.connectString(), Sort.DURABLE);
        load.start("server 0, linearizable", ensemble.connectString(0), Sort.LINEARIZABLE);
      }
      for (int n = 0; n < cuts; n++) {
        awaitAnswers(recorder, ANSWERS_MIN + random.nextInt(ANSWERS_MAX - ANSWERS_MIN));
        cutPower(ensemble, disks, random);
      }
      awaitAnswers(recorder, ANSWERS_MIN);
      load.close();
      for (int i = 0; i < SERVERS; i++) {
        load.lookAtEverything("server " + i + ", at the end", ensemble.connectString(i));
      }
      assertEquals(List.of(), load.failures());
    }
    ZnodeHistory history = recorder.history();
    List<String> found = ZnodeJudge.judge(history);
    LOG.info(
        "{}, seed {}: {} cuts, {} calls, {} violations",
        settings,
        seed,
        cuts,
        history.calls().size(),
        found.size());
    return found;
  }

  private static void awaitAnswers(HistoryRecorder recorder, int count)
      throws InterruptedException {
    long until = recorder.answers() + count;
    assertTrue(
        recorder.awaitAnswers(until, PATIENCE_SECONDS),
        () -> recorder.answers() + " answers, and " + until + " were to come");
  }

  private static void cutPower(
      EmbeddedEnsemble ensemble, List<ForgetfulStorage> disks, Random random) throws Exception {
    disks.forEach(ForgetfulStorage::powerCut);
    for (int i = 0; i < SERVERS; i++) {
      ensemble.stop(i);
    }
    for (ForgetfulStorage disk : disks) {
      disk.lose(random);
    }
    for (int i = 0; i < SERVERS; i++) {
      ensemble.start(i);
    }
  }

  private EmbeddedEnsemble ensemble(
      Map<String, String> settings, long seed, List<ForgetfulStorage> disks) throws Exception {
    Map<String, String> all = new HashMap<>();
    all.put("orca.heartbeatMs", "20");
    all.put("orca.markOutMs", "60");
    all.put("orca.removalMs", "300");
    all.put("orca.immediatePaths", ZnodeLoad.IMMEDIATE);
    all.put("maxSessionTimeout", "60000");
    all.putAll(settings);
    return new EmbeddedEnsemble(dir.resolve("seed" + seed), SERVERS, all)
        .adjusted(ForgetfulStorage.beneath(disks))
        .start();
  }
}
