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

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.orcagrid.bench.compare.CompareResult.Rate;
import org.orcagrid.bench.report.MarkdownTable;
import org.orcagrid.bench.report.Numbers;
import org.orcagrid.bench.stats.Spread;

/** The tables of a comparison: a row for each contender, a column for each load. */
final class CompareTables {
  private static final double THOUSAND = 1e3;
  private static final double MOST = 0.99;

  private final CompareResult result;

  CompareTables(CompareResult result) {
    this.result = result;
  }

  /** Thousand operations a second. */
  String rates(ToDoubleFunction<Rate> what) {
    return table(
        rival -> load -> Numbers.spread(result.spread(rival, load, what), THOUSAND),
        result.plan().rivals());
  }

  /** How long operations take: the median, and what 99 of 100 take at most. */
  String latencies() {
    List<Load> loads = result.plan().loads();
    return table(
        rival ->
            load -> figure(micros(rival, load, 0.5)) + ", " + figure(micros(rival, load, MOST)),
        result.plan().rivals().stream()
            .filter(rival -> loads.stream().anyMatch(load -> micros(rival, load, MOST).isPresent()))
            .toList());
  }

  /** The median of the rounds; empty if no operation was timed. */
  private Optional<Double> micros(Rival rival, Load load, double share) {
    return result
        .spread(rival, load, each -> each.micros(share))
        .map(Spread::median)
        .filter(median -> !median.isNaN());
  }

  private static String figure(Optional<Double> micros) {
    return micros.map(Numbers::plain).orElse(Numbers.NOT_AVAILABLE);
  }

  private String table(Function<Rival, Function<Load, String>> cell, List<Rival> rivals) {
    List<String> headings = new ArrayList<>(List.of("contender"));
    List<Load> loads = result.plan().loads();
    loads.forEach(load -> headings.add(load.title()));
    MarkdownTable table = new MarkdownTable(headings);
    for (Rival rival : rivals) {
      List<String> cells = new ArrayList<>(List.of(rival.title()));
      loads.forEach(load -> cells.add(cell.apply(rival).apply(load)));
      table.add(cells);
    }
    return table.render();
  }

  /** What each guarantees, as a list. */
  String guarantees() {
    StringBuilder list = new StringBuilder();
    for (Rival rival : result.plan().rivals()) {
      list.append("- **").append(rival.title()).append("**: ");
      list.append(rival.guarantee()).append('\n');
    }
    return list.toString();
  }

  /** A last column of ratios: whether what one promises is as much as what the other does. */
  record Fairness(String heading, BiPredicate<Rival, Rival> isEnough) {}

  /** Ours beside the others; empty if one of them has not taken part. */
  String ratios(List<Fairness> fairness) {
    List<Rival> others = result.plan().rivals().stream().filter(Rival::isOther).toList();
    List<Rival> ours = result.plan().ours().toList();
    if (others.isEmpty() || ours.isEmpty()) {
      return "";
    }
    List<String> headings = new ArrayList<>(List.of("Orca Grid", "beside"));
    result.plan().loads().forEach(load -> headings.add(load.title()));
    fairness.forEach(each -> headings.add(each.heading()));
    MarkdownTable table = new MarkdownTable(headings);
    for (Rival one : ours) {
      for (Rival other : others) {
        List<String> cells = new ArrayList<>(List.of(shortTitle(one), other.title()));
        result.plan().loads().forEach(load -> cells.add(ratio(one, other, load)));
        fairness.forEach(
            each -> cells.add(each.isEnough().test(one, other) ? "as much or more" : "less"));
        table.add(cells);
      }
    }
    return table.render();
  }

  private static String shortTitle(Rival ours) {
    return ours.title().replace("Orca Grid ", "");
  }

  /** What is reached of what is asked is in bold. */
  private String ratio(Rival one, Rival other, Load load) {
    Optional<Spread> here = result.ratio(one, other, load, Rate::perSecond);
    OptionalDouble asked = Goals.asked(one, other, load);
    String figure = Numbers.spread(here, 1);
    if (asked.isEmpty() || here.isEmpty()) {
      return figure;
    }
    String reached = here.get().median() >= asked.getAsDouble() ? "**" + figure + "**" : figure;
    return reached + "; asked " + Numbers.setting(asked.getAsDouble());
  }
}
