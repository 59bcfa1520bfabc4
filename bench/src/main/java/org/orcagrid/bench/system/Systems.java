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
package org.orcagrid.bench.system;

import static org.orcagrid.bench.system.SystemSpec.Server.ORCA;
import static org.orcagrid.bench.system.SystemSpec.Server.STOCK;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.orcagrid.examples.ensemble.Store;

/**
 * The systems that the harness knows: the paper's durability layers, its three servers, and stock.
 */
public final class Systems {
  private static final List<SystemSpec> ALL =
      List.of(
          new SystemSpec(
              "cad",
              "CAD",
              ORCA,
              orca("cad", "async", "leader"),
              "A write is acknowledged at once; whatever a client has read is durable and is never"
                  + " taken back."),
          new SystemSpec(
              "sync",
              "sync",
              ORCA,
              orca("sync", "sync", "leader"),
              "A write is on the disks of a majority before it is acknowledged."),
          new SystemSpec(
              "async",
              "async",
              ORCA,
              orca("async", "async", "leader"),
              "A write is acknowledged at once; a crash may take back even what a client has"
                  + " read."),
          new SystemSpec(
              "stock-sync",
              "stock sync",
              STOCK,
              Map.of("forceSync", "yes"),
              "Released ZooKeeper: a write is on the disks of a majority before it is"
                  + " acknowledged."),
          new SystemSpec(
              "stock-nosync",
              "stock nosync",
              STOCK,
              Map.of("forceSync", "no"),
              "Released ZooKeeper that never forces its log: replicated before it is acknowledged,"
                  + " durable whenever the operating system writes it."),
          atLeader(
              "stock-sync-leader",
              "stock sync, read at its leader",
              "yes",
              "Released ZooKeeper: a write is on the disks of a majority before it is acknowledged;"
                  + " all clients are connected to the leader, so that reads are never older than"
                  + " what was acknowledged while it leads."),
          atLeader(
              "stock-nosync-leader",
              "stock nosync, read at its leader",
              "no",
              "Released ZooKeeper that never forces its log, with all clients at the leader."),
          of(
              Store.ORCA,
              "ORCA: writes return at once; while one leader is in office, a read on any server is"
                  + " never older than what any client has read before, even across crashes of all"
                  + " servers; a write that nobody has read may be lost."),
          of(
              Store.STRONG_ZK,
              "strong-ZK: every write is on the disks of a majority before it returns and only the"
                  + " leader serves reads; nothing acknowledged is lost."),
          new SystemSpec(
              "sync-zk-all",
              "sync-ZK-all",
              ORCA,
              orca("sync", "sync", "all"),
              "sync-ZK-all: every write is on the disks of a majority before it returns, and every"
                  + " server serves reads; a later read may be older than an earlier one."),
          of(
              Store.WEAK_ZK,
              "weak-ZK: writes return at once and every server serves reads; a later read may be"
                  + " older than an earlier one, and a crash may take back what was read."));

  private Systems() {}

  /**
   * Returns the system with this id. Further lines of its configuration may follow, each as {@code
   * :key=value}; they make it another system of that name.
   *
   * @throws IllegalArgumentException if there is none (the message lists the ids), or a setting has
   *     no value
   */
  public static SystemSpec named(String id) {
    String[] parts = id.trim().split(":", -1);
    SystemSpec spec = plain(parts[0]);
    if (parts.length == 1) {
      return spec;
    }
    Map<String, String> settings = new HashMap<>(spec.settings());
    for (int i = 1; i < parts.length; i++) {
      int equals = parts[i].indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException(
            "'" + parts[i] + "' of system '" + id + "' is no setting; write key=value.");
      }
      settings.put(parts[i].substring(0, equals), parts[i].substring(equals + 1));
    }
    return new SystemSpec(
        id.trim(),
        spec.title() + id.trim().substring(parts[0].length()),
        spec.server(),
        settings,
        spec.guarantee());
  }

  private static SystemSpec plain(String id) {
    return ALL.stream()
        .filter(spec -> spec.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "There is no system '"
                        + id
                        + "'; choose from "
                        + ALL.stream().map(SystemSpec::id).collect(Collectors.joining(", "))
                        + "."));
  }

  private static SystemSpec atLeader(String id, String title, String forceSync, String guarantee) {
    Map<String, String> settings =
        Map.of("forceSync", forceSync, SystemSpec.READERS, SystemSpec.LEADER);
    return new SystemSpec(id, title, STOCK, settings, guarantee);
  }

  private static SystemSpec of(Store store, String guarantee) {
    return new SystemSpec(store.id(), store.title(), ORCA, store.settings(), guarantee);
  }

  private static Map<String, String> orca(String durability, String replication, String readers) {
    return Map.of(
        "orca.durability", durability,
        "orca.replication", replication,
        "orca.readers", readers);
  }
}
