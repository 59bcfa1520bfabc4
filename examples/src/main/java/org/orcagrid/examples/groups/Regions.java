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
package org.orcagrid.examples.groups;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.orcagrid.cli.EnsembleMember;
import org.orcagrid.examples.demo.Loop;
import org.orcagrid.examples.ensemble.FaultyEnsemble;
import org.orcagrid.examples.ensemble.Store;
import org.orcagrid.mixed.Change;
import org.orcagrid.mixed.store.Merge;
import org.orcagrid.mixed.store.Operations;
import org.orcagrid.mixed.store.StoreException;
import org.orcagrid.mixed.store.causal.Batch;
import org.orcagrid.mixed.store.causal.CausalInstance;
import org.orcagrid.mixed.store.orca.OrcaStore;

/** An ORCA ensemble, and a replica of the inboxes in each of three regions. */
final class Regions implements AutoCloseable {
  /** The regions. */
  static final List<String> NAMES = List.of("east", "west", "south");

  private static final long LOOK_MILLIS = 10;
  private static final long USUAL_MILLIS = 100;
  private static final long SLOW_MILLIS = 2_500;

  /** Adds a post to an inbox. */
  static final Change<List<String>, String> INSERT = Change.of("insert", Regions::inserted);

  private final FaultyEnsemble ensemble;
  private final List<Loop> loops = new ArrayList<>();
  private volatile String slow = "";

  private Regions(FaultyEnsemble ensemble) {
    this.ensemble = ensemble;
  }

  private static List<String> inserted(List<String> present, String post) {
    List<String> all = new ArrayList<>(present == null ? List.of() : present);
    all.add(post);
    return all;
  }

  /** Starts the ensemble's servers, and waits until they serve. */
  static Regions start(Path folder) throws IOException, InterruptedException {
    return new Regions(FaultyEnsemble.start("ORCA", Store.ORCA.settings(), 3, folder));
  }

  /** A session of its own with the ensemble. */
  OrcaStore orca(String root) throws StoreException {
    List<String> addresses = new ArrayList<>();
    for (EnsembleMember each : ensemble.members()) {
      addresses.add("127.0.0.1:" + each.clientPort());
    }
    return new OrcaStore(
        "orca",
        String.join(",", addresses),
        root,
        OrcaStore.Reads.LINEARIZABLE,
        new Operations(List.of(INSERT)));
  }

  /** A causal store with an instance in each region; each hands what it has to the others. */
  Map<String, CausalInstance> inboxes(String name) {
    Map<String, CausalInstance> instances = new LinkedHashMap<>();
    List<String> groups = NAMES.stream().map(each -> name + "-" + each).toList();
    for (String each : NAMES) {
      instances.put(
          each,
          new CausalInstance(
              name, name + "-" + each, java.util.Set.copyOf(groups), Merge.standard()));
    }
    for (String from : NAMES) {
      for (String to : NAMES) {
        if (!from.equals(to)) {
          CausalInstance source = instances.get(from);
          CausalInstance target = instances.get(to);
          loops.add(Loop.start("groups-" + name, () -> replicate(from, to, source, target)));
        }
      }
    }
    return instances;
  }

  private void replicate(String from, String to, CausalInstance source, CausalInstance target)
      throws InterruptedException {
    String group = source.traits().group();
    List<Batch> batches = source.after(target.clock().of(group));
    var clock = source.clock();
    if (!batches.isEmpty()) {
      boolean isSlow = slow.equals(from) || slow.equals(to);
      TimeUnit.MILLISECONDS.sleep(isSlow ? SLOW_MILLIS : USUAL_MILLIS);
    }
    for (Batch each : batches) {
      if (!target.take(each)) {
        break;
      }
    }
    target.onClock(group, clock);
    TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
  }

  /** What goes to and from a region takes longer; the empty name is for none. */
  void slow(String region) {
    if (!region.isEmpty() && !NAMES.contains(region)) {
      throw new IllegalArgumentException(
          "There is no region '" + region + "'; choose from " + NAMES);
    }
    slow = region;
  }

  /** Which one is slow; empty for none. */
  String slow() {
    return slow;
  }

  @Override
  public void close() {
    loops.forEach(Loop::close);
    ensemble.close();
  }
}
