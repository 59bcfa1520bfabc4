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
package org.orcagrid.bench.compare.sites;

import java.util.List;
import org.orcagrid.bench.compare.process.LoadSettings;

/**
 * What is measured, and how.
 *
 * @param contenders in the order of the tables
 * @param data what is stored, for each contender
 * @param threads of the clients at home, each with one operation under way
 * @param rounds that are measured
 * @param warmUpRounds before them
 * @param seconds of a turn
 */
public record SitesPlan(
    List<SiteContender> contenders,
    LoadSettings.Data data,
    int threads,
    int rounds,
    int warmUpRounds,
    double seconds) {
  private static final int THREADS_MAX = 256;
  private static final int KEYS_MAX = 1_000_000;

  /** Keeps a copy; refuses what cannot be measured, naming the option to change. */
  public SitesPlan {
    contenders = List.copyOf(contenders);
    require(threads >= 1 && threads <= THREADS_MAX, "There are 1 to 256 threads", "threads");
    require(rounds >= 1, "There must be at least 1 round", "rounds");
    require(warmUpRounds >= 0, "There cannot be fewer than 0 rounds before", "warm-up");
    require(seconds > 0 && seconds <= 60, "A turn takes up to 60 s", "seconds");
    require(data.keys() >= 1 && data.keys() <= KEYS_MAX, "There are 1 to 1000000 keys", "keys");
    require(
        data.valueBytes() >= 8 && data.valueBytes() <= 4096,
        "A value has 8 to 4096 bytes",
        "value-bytes");
  }

  private static void require(boolean condition, String what, String option) {
    if (!condition) {
      throw new IllegalArgumentException(what + "; change --" + option + ".");
    }
  }

  /** The products that take part. */
  List<SiteProduct> products() {
    return contenders.stream().map(SiteContender::product).distinct().toList();
  }

  /** A product's variants that take part. */
  List<String> variants(SiteProduct product) {
    return contenders.stream()
        .filter(each -> each.product() == product)
        .map(SiteContender::variant)
        .toList();
  }
}
