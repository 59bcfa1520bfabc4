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
package org.orcagrid.bench.compare.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** How long operations took, as it is counted and told. */
final class LatenciesTest {
  @Test
  void latenciesAreTheirQuantiles() {
    Latencies.Recorder recorder = new Latencies.Recorder();
    for (int i = 1; i <= 1000; i++) {
      recorder.add(i * 1000L);
    }
    Latencies all = Latencies.of(recorder.soFar().word());
    assertEquals(500_000, all.quantile(0.5), 500_000 * 0.04);
    assertEquals(990_000, all.quantile(0.99), 990_000 * 0.04);
    recorder.add(5);
    Latencies one = recorder.soFar().minus(all);
    assertTrue(one.quantile(0.5) < 40, () -> "" + one.quantile(0.5));
    assertEquals(all.quantile(0.5), all.plus(Latencies.none()).quantile(0.5));
    assertTrue(Double.isNaN(Latencies.none().quantile(0.5)));
  }
}
