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
package org.orcagrid.bench.compare;

import java.util.List;
import java.util.stream.Stream;
import org.orcagrid.bench.compare.process.LoadSettings;
import org.orcagrid.bench.compare.process.Manner;

/**
 * What is measured, and how.
 *
 * @param rivals who takes part
 * @param manners how clients make their operations
 * @param writePercents the shares of writes
 * @param data what is stored
 * @param pressure how hard each process loads
 * @param time how often and how long
 */
public record ComparePlan(
    List<Rival> rivals,
    List<Manner> manners,
    List<Double> writePercents,
    LoadSettings.Data data,
    LoadSettings.Pressure pressure,
    Time time) {
  /** Processes of each product; each is a node, or beside one. */
  public static final int NODES = 3;

  private static final int DEPTH_MAX = 1024;
  private static final int VALUE_BYTES_MAX = 32 << 10;

  /**
   * How often and how long.
   *
   * @param rounds how often everything is measured
   * @param warmUpRounds rounds before that, for the compilers
   * @param seconds how long each turn is measured
   */
  public record Time(int rounds, int warmUpRounds, double seconds) {}

  /** Keeps copies; refuses what cannot be measured, and names the option to change. */
  public ComparePlan {
    rivals = List.copyOf(rivals);
    manners = List.copyOf(manners);
    writePercents = List.copyOf(writePercents);
    require(!rivals.isEmpty(), "There must be a contender; change --contenders.");
    require(!manners.isEmpty(), "There must be a manner; change --manners.");
    require(
        !writePercents.isEmpty() && writePercents.stream().allMatch(w -> w >= 0 && w <= 100),
        "Shares of writes are 0 to 100 percent; change --writes.");
    require(
        rivals.stream()
                .filter(rival -> !rival.isMapInMemory())
                .map(Rival::isDurable)
                .distinct()
                .count()
            <= 1,
        "What is durable is compared with what is: contenders with --durable are others.");
    require(
        isAnythingMeasured(rivals, manners),
        "The contenders have no callers that wait; change --manners.");
    require(data.keys() >= 1, "There must be at least 1 key; change --keys.");
    require(
        data.valueBytes() >= Long.BYTES && data.valueBytes() <= VALUE_BYTES_MAX,
        "A value has 8 to " + VALUE_BYTES_MAX + " bytes; change --value-bytes.");
    require(pressure.threads() >= 1, "There must be at least 1 thread; change --threads.");
    require(
        pressure.depthOfThread() >= 2 && pressure.depth() <= DEPTH_MAX,
        "A depth is at least 2 for each thread and at most " + DEPTH_MAX + "; change --depth.");
    require(time.rounds() >= 1, "There must be at least 1 round; change --rounds.");
    require(time.warmUpRounds() >= 0, "Warm-up rounds cannot be negative; change --warm-up.");
    require(
        time.seconds() > 0 && time.seconds() <= 600,
        "A turn takes more than 0 and at most 600 seconds; change --seconds.");
  }

  private static boolean isAnythingMeasured(List<Rival> rivals, List<Manner> manners) {
    return rivals.stream().anyMatch(rival -> manners.stream().anyMatch(rival::takesPart));
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  /** What is measured of each. */
  List<Load> loads() {
    return manners.stream()
        .flatMap(manner -> writePercents.stream().map(writes -> new Load(manner, writes)))
        .toList();
  }

  /** The products that take part. */
  public List<Product> products() {
    return rivals.stream().map(Rival::product).distinct().toList();
  }

  /** The same without a product. */
  public ComparePlan without(Product product) {
    return new ComparePlan(
        rivals.stream().filter(rival -> rival.product() != product).toList(),
        manners,
        writePercents,
        data,
        pressure,
        time);
  }

  /** What is started of a product. */
  ProductProcesses.Order order(Product product) {
    return new ProductProcesses.Order(
        product,
        rivals.stream().filter(rival -> rival.product() == product).map(Rival::variant).toList(),
        data,
        pressure);
  }

  /** Whether what is written is to survive: with all contenders, but for our maps in memory. */
  public boolean isDurable() {
    return rivals.stream().anyMatch(Rival::isDurable);
  }

  Stream<Rival> ours() {
    return rivals.stream().filter(Rival::isOurs);
  }
}
