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

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.orcagrid.examples.ensemble.FaultyEnsemble;

/**
 * Which servers are up, and which one lags, in each stage of a run (Figure 9 of the ORCA paper). A
 * majority is up at all times; all are in the first and in the last stage.
 *
 * @param servers how many servers there are, numbered from 1
 * @param stages one after the other
 */
public record FaultSequence(int servers, List<Stage> stages) {
  private static final int STAGES_MIN = 5;
  private static final int STAGES_MAX = 7;
  private static final double LAG_SHARE = 0.6;

  /**
   * One stage.
   *
   * @param up the servers that are up
   * @param lagging the server that what is sent to and by is held back, or {@link
   *     FaultyEnsemble#NOBODY}
   */
  public record Stage(List<Integer> up, int lagging) {

    /** Keeps a copy. */
    public Stage {
      up = List.copyOf(up);
    }

    private String text() {
      return up.stream()
          .map(each -> each == lagging ? "(" + each + ")" : Integer.toString(each))
          .collect(Collectors.joining());
    }
  }

  /** Keeps a copy. */
  public FaultSequence {
    stages = List.copyOf(stages);
  }

  /** The sequence that {@code seed} stands for. */
  public static FaultSequence of(long seed, int servers) {
    SplittableRandom random = new SplittableRandom(seed);
    int majority = servers / 2 + 1;
    TreeSet<Integer> up = new TreeSet<>(IntStream.rangeClosed(1, servers).boxed().toList());
    List<Stage> stages = new ArrayList<>();
    int count = random.nextInt(STAGES_MIN, STAGES_MAX + 1);
    stages.add(stage(up, random, majority));
    for (int n = 1; n < count - 1; n++) {
      List<Integer> down = new ArrayList<>();
      for (int id = 1; id <= servers; id++) {
        if (!up.contains(id)) {
          down.add(id);
        }
      }
      boolean recover = !down.isEmpty() && (up.size() == majority || random.nextInt(2) == 0);
      if (recover) {
        up.add(down.get(random.nextInt(down.size())));
      } else {
        int crashes = random.nextInt(1, up.size() - majority + 1);
        for (int i = 0; i < crashes; i++) {
          up.remove(List.copyOf(up).get(random.nextInt(up.size())));
        }
      }
      stages.add(stage(up, random, majority));
    }
    up.addAll(IntStream.rangeClosed(1, servers).boxed().toList());
    stages.add(stage(up, random, majority));
    return new FaultSequence(servers, stages);
  }

  /** One lags only where a majority is left without it: otherwise all stand still. */
  private static Stage stage(TreeSet<Integer> up, SplittableRandom random, int majority) {
    boolean lags = up.size() > majority && random.nextDouble() < LAG_SHARE;
    return new Stage(
        List.copyOf(up),
        lags ? List.copyOf(up).get(random.nextInt(up.size())) : FaultyEnsemble.NOBODY);
  }

  /** The sequence as the paper writes it: {@code (1)2345 > 245 > 12345}. */
  @Override
  public String toString() {
    return stages.stream().map(Stage::text).collect(Collectors.joining(" > "));
  }
}
