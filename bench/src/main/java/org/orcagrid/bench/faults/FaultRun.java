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
package org.orcagrid.bench.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.orcagrid.bench.system.SystemSpec;
import org.orcagrid.examples.ensemble.FaultyEnsemble;

/**
 * Servers that go through sequences of faults one after the other, under a script that writes and
 * reads in each stage.
 *
 * @param <S> the script
 */
public final class FaultRun<S extends FaultScript> implements AutoCloseable {
  private final FaultyEnsemble ensemble;
  private final S script;

  private FaultRun(FaultyEnsemble ensemble, S script) {
    this.ensemble = ensemble;
    this.script = script;
  }

  /**
   * Starts the servers of a system, with their files below {@code folder}.
   *
   * @throws IOException if they cannot be started or do not serve
   */
  public static <S extends FaultScript> FaultRun<S> start(
      SystemSpec system, int count, Path folder, FaultScript.Maker<S> scripts)
      throws IOException, InterruptedException {
    FaultyEnsemble ensemble =
        FaultyEnsemble.start("System " + system.id(), system.settings(), count, folder);
    try {
      return new FaultRun<>(ensemble, scripts.on(ensemble.members()));
    } catch (InterruptedException | RuntimeException e) {
      ensemble.close();
      throw e;
    }
  }

  /** Returns the script. */
  public S script() {
    return script;
  }

  /** Takes the servers through one sequence, with all of them up before and after it. */
  public void run(FaultSequence sequence) throws IOException, InterruptedException {
    if (sequence.servers() != ensemble.count()) {
      throw new IllegalArgumentException(
          "The sequence is for " + sequence.servers() + " servers, there are " + ensemble.count());
    }
    for (FaultSequence.Stage stage : sequence.stages()) {
      bring(stage.up());
      run(stage);
    }
    script.allUp(ensemble.up());
  }

  private void bring(List<Integer> wanted) throws IOException, InterruptedException {
    for (int id : ensemble.up()) {
      if (!wanted.contains(id)) {
        ensemble.crash(id);
        script.crashed(id);
      }
    }
    List<Integer> up = ensemble.up();
    for (int id : wanted) {
      if (!up.contains(id)) {
        ensemble.recover(id);
      }
    }
    ensemble.awaitServing();
  }

  private void run(FaultSequence.Stage stage) throws InterruptedException {
    int lagging = laggingFollower(stage);
    List<Integer> prompt = new ArrayList<>(ensemble.up());
    prompt.remove(Integer.valueOf(lagging));
    script.before(prompt);
    if (lagging == FaultyEnsemble.NOBODY) {
      return;
    }
    ensemble.hold(lagging);
    try {
      script.during(prompt, lagging);
    } finally {
      ensemble.release();
    }
  }

  /** A leader that lags would be replaced, and lead nobody: another server lags in its place. */
  private int laggingFollower(FaultSequence.Stage stage) {
    if (stage.lagging() == FaultyEnsemble.NOBODY) {
      return FaultyEnsemble.NOBODY;
    }
    OptionalInt leader = ensemble.leader();
    if (leader.isEmpty() || leader.getAsInt() != stage.lagging()) {
      return stage.lagging();
    }
    return ensemble.up().stream().filter(id -> id != stage.lagging()).findFirst().orElseThrow();
  }

  @Override
  public void close() {
    script.close();
    ensemble.close();
  }
}
