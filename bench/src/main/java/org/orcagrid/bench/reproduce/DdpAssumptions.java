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
package org.orcagrid.bench.reproduce;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.orcagrid.bench.ddp.TimingCase;
import org.orcagrid.bench.ddp.TimingFindings;
import org.orcagrid.bench.report.MarkdownTable;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.simulator.timing.KeyChoice;
import org.orcagrid.simulator.timing.NvmTiming;
import org.orcagrid.simulator.timing.TimingSettings;

/** What the figures assume, from the paper or our own, and how much hangs on what is our own. */
final class DdpAssumptions {
  private static final Ddp CAUSAL_SYNCHRONOUS = Ddp.of(Consistency.CAUSAL, Persistency.SYNCHRONOUS);
  private static final List<Ddp> SHOWN =
      List.of(
          DdpPages.BASE,
          CAUSAL_SYNCHRONOUS,
          Ddp.of(Consistency.CAUSAL, Persistency.READ_ENFORCED),
          Ddp.of(Consistency.EVENTUAL, Persistency.EVENTUAL));

  private static final Ddp TRANSACTIONS =
      Ddp.of(Consistency.TRANSACTIONAL, Persistency.SYNCHRONOUS);
  private static final String FEW = "; 10 clients";

  /**
   * Something that could be otherwise.
   *
   * @param name what it is then
   * @param machine the machine then
   * @param load the load then
   * @param without rules that are left out
   */
  private record Variant(
      String name,
      TimingSettings.Machine machine,
      TimingSettings.Load load,
      Set<ReplicaRule> without) {}

  private DdpAssumptions() {}

  private static List<Variant> variants() {
    TimingSettings.Machine machine = TimingSettings.PAPER.machine();
    TimingSettings.Load load = TimingSettings.PAPER.load();
    NvmTiming nvm = machine.nvm();
    return List.of(
        new Variant("request 1000 ns", machine.with(processor(1000)), load, Set.of()),
        new Variant("request 2000 ns", machine.with(processor(2000)), load, Set.of()),
        new Variant("values of 100 bytes", machine, load.withValues(100), Set.of()),
        new Variant("values of 400 bytes", machine, load.withValues(400), Set.of()),
        new Variant("10000 records", machine, with(10_000, KeyChoice.ZIPFIAN), Set.of()),
        new Variant(
            "YCSB's scrambled keys", machine, with(1000, KeyChoice.SCRAMBLED_ZIPFIAN), Set.of()),
        new Variant("uniform keys", machine, with(1000, KeyChoice.UNIFORM), Set.of()),
        new Variant(
            "NVM does not combine writes", machine.with(nvm.withoutCombining()), load, Set.of()),
        new Variant(
            "NVM is a log", machine.with(nvm.with(NvmTiming.Placement.LOG)), load, Set.of()),
        new Variant(
            "own writes are not waited for", machine, load, Set.of(ReplicaRule.OWN_WRITES)));
  }

  private static TimingSettings.Processor processor(long nanos) {
    return new TimingSettings.Processor(nanos, TimingSettings.Processor.OURS.spreadPercent());
  }

  private static TimingSettings.Load with(int records, KeyChoice choice) {
    return TimingSettings.PAPER.load().with(new TimingSettings.Records(records, choice));
  }

  private record Keys(String name, int count, KeyChoice choice) {}

  private static List<Keys> keys() {
    return List.of(
        new Keys("Zipf; 1000 records", 1000, KeyChoice.ZIPFIAN),
        new Keys("YCSB's scrambled; 1000 records", 1000, KeyChoice.SCRAMBLED_ZIPFIAN),
        new Keys("YCSB's scrambled; 10000 records", 10_000, KeyChoice.SCRAMBLED_ZIPFIAN),
        new Keys("uniform; 1000 records", 1000, KeyChoice.UNIFORM),
        new Keys("uniform; 1500 records", 1500, KeyChoice.UNIFORM));
  }

  static List<TimingCase> cases(TimingSettings.Span span) {
    List<TimingCase> cases = new ArrayList<>();
    for (Variant variant : variants()) {
      for (Ddp model : SHOWN) {
        cases.add(
            new TimingCase(
                new TimingCase.Place(variant.name(), model),
                new TimingSettings(variant.machine(), variant.load(), span),
                variant.without()));
      }
    }
    for (Keys keys : keys()) {
      TimingSettings settings =
          TimingSettings.PAPER.with(span).with(with(keys.count(), keys.choice()));
      cases.add(TimingCase.of(keys.name(), TRANSACTIONS, settings));
      cases.add(
          TimingCase.of(
              keys.name() + FEW, TRANSACTIONS, settings.with(settings.load().withClients(10))));
    }
    return cases;
  }

  /** What is assumed, with its source. */
  static String table() {
    MarkdownTable table = new MarkdownTable(List.of("what", "value", "source"));
    addPapers(table);
    addOurs(table);
    return table.render();
  }

  private static void addPapers(MarkdownTable table) {
    table.add(List.of("servers; clients of each", "5; 20", "Table 5"));
    table.add(List.of("NIC to NIC and back; bandwidth", "1 µs; 200 Gb/s", "Table 5"));
    table.add(List.of("from the NIC into the last-level cache", "19 ns", "Table 5: 38 cycles"));
    table.add(
        List.of(
            "size of a message",
            "its bytes",
            "`PacketCodec`: the format that our nodes send, without frames of the network"));
    table.add(List.of("NVM banks; write of a line", "16; 400 ns", "Table 5: 2 channels of 8"));
    table.add(List.of("requests of a transaction; of a scope", "5; 10", "section 7"));
    table.add(List.of("writes of workload A, B, W", "50, 5, 95 %", "sections 7 and 8.2"));
  }

  private static void addOurs(MarkdownTable table) {
    TimingSettings paper = TimingSettings.PAPER;
    table.add(
        List.of(
            "core time of a read or write",
            paper.machine().processor().requestNanos() + " ns, ± 50 %",
            "**ours**, fitted: see below"));
    table.add(
        List.of(
            "cores", "one a client", "**ours**: section 7 simulates \"N cores\" from N traces"));
    table.add(
        List.of(
            "core time of messages, begins, ends",
            "none",
            "**ours**: RDMA does without the processor; the paper's traces have no such requests"));
    table.add(
        List.of(
            "value of a write",
            paper.load().valueBytes() + " bytes: a version is 4 lines",
            "**ours**, fitted: see below"));
    table.add(List.of("records; how chosen", "1000; Zipf, 0.99", "**ours**: YCSB's own defaults"));
    table.add(
        List.of(
            "records of transactions",
            TimingSettings.Records.TRANSACTIONAL.count() + "; uniform",
            "**ours**, fitted: see below"));
    table.add(
        List.of(
            "who meets another transaction",
            "begins again at once, with the same requests",
            "**ours**: section 5.4 leaves it open"));
    table.add(
        List.of(
            "writes of a line that waits for its bank",
            "join it",
            "**ours**: write queues of memory controllers do"));
    table.add(
        List.of(
            "bus of the channels; NVM reads",
            "no time; none",
            "**ours**: 4 ns a line on a bus; volatile copies answer"));
  }

  /** What comes out when what is ours is otherwise. */
  static String variants(TimingFindings findings) {
    List<String> headings = new ArrayList<>(List.of("otherwise", "million/s of " + name(0)));
    for (int model = 1; model < SHOWN.size(); model++) {
      headings.add(name(model) + " to it");
    }
    MarkdownTable table = new MarkdownTable(headings);
    List<String> names = new ArrayList<>(List.of(DdpFigure.DEFAULT));
    variants().forEach(variant -> names.add(variant.name()));
    for (String name : names) {
      TimingCase.Place base = new TimingCase.Place(name, DdpPages.BASE);
      List<String> cells = new ArrayList<>(List.of(name));
      cells.add(
          DdpPages.number(DdpPages.median(findings.spread(base, each -> each.perSecond() / 1e6))));
      for (Ddp model : SHOWN.subList(1, SHOWN.size())) {
        TimingCase.Place place = new TimingCase.Place(name, model);
        cells.add(
            DdpPages.number(
                DdpPages.median(findings.relative(place, base, DdpMeasure.THROUGHPUT.of()))));
      }
      table.add(cells);
    }
    return table.render();
  }

  private static String name(int model) {
    return SHOWN.get(model).id();
  }

  /** How many transactions conflict, by what they are about. */
  static String transactions(TimingFindings findings) {
    MarkdownTable table =
        new MarkdownTable(
            List.of(
                "keys",
                "throughput to " + DdpPages.BASE.id(),
                "conflict, 100 clients",
                "aborts of a transaction",
                "conflict, 10 clients"));
    for (Keys keys : keys()) {
      TimingCase.Place place = new TimingCase.Place(keys.name(), TRANSACTIONS);
      TimingCase.Place few = new TimingCase.Place(keys.name() + FEW, TRANSACTIONS);
      table.add(
          List.of(
              keys.name(),
              DdpPages.number(
                  DdpPages.median(
                      findings.relative(place, DdpPages.BASE_PLACE, DdpMeasure.THROUGHPUT.of()))),
              conflicts(findings, place),
              DdpPages.number(
                  DdpPages.median(
                      findings.spread(place, each -> each.waits().abortsPerTransaction()))),
              conflicts(findings, few)));
    }
    return table.render();
  }

  private static String conflicts(TimingFindings findings, TimingCase.Place place) {
    return DdpPages.percent(
        DdpPages.median(findings.spread(place, each -> each.waits().conflicted())));
  }
}
