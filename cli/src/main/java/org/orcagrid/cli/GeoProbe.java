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
package org.orcagrid.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.orcagrid.geo.client.GeoException;
import org.orcagrid.geo.client.GeoSettings;
import org.orcagrid.geo.client.RemoteGeo;
import org.orcagrid.transport.tcp.HostPort;

/** What nodes of a store say of themselves. */
final class GeoProbe implements AutoCloseable {
  private static final int SECONDS_MAX = 3;

  /** What a word begins with that tells what a datacenter has not acknowledged. */
  static final String BEHIND = "behind.";

  private final RemoteGeo geo;

  /** A node's own words, and those of its partitions. */
  record Said(Map<String, String> node, List<Map<String, String>> partitions) {
    long count(String name, String value) {
      return partitions.stream().filter(each -> value.equals(each.get(name))).count();
    }

    /** Of a datacenter's writes: entries and milliseconds of the partition furthest behind. */
    List<Long> lag(String datacenter) {
      long entries = 0;
      long millis = 0;
      for (Map<String, String> each : partitions) {
        String[] lag = each.get("lag." + datacenter).split("/");
        entries = Math.max(entries, Long.parseLong(lag[0]));
        millis = Math.max(millis, Long.parseLong(lag[1].replace("ms", "")));
      }
      return List.of(entries, millis);
    }

    /** Bytes that others have not acknowledged, of the partitions that it forwards. */
    long unacknowledged() {
      long bytes = 0;
      for (Map<String, String> each : partitions) {
        for (Map.Entry<String, String> word : each.entrySet()) {
          bytes += word.getKey().startsWith(BEHIND) ? bytesBehind(word.getValue()) : 0;
        }
      }
      return bytes;
    }

    long sum(String name) {
      return partitions.stream().mapToLong(each -> Long.parseLong(each.get(name))).sum();
    }
  }

  /** The bytes that such a word tells. */
  static long bytesBehind(String told) {
    return Long.parseLong(told.substring(told.indexOf('/') + 1).replace("B", ""));
  }

  private GeoProbe(RemoteGeo geo) {
    this.geo = geo;
  }

  /** Connects to some node. */
  static GeoProbe connect(List<GeoFolder.Node> nodes, Duration limit) throws CommandFailure {
    return connect(GeoFolder.settings(nodes).timeout(limit));
  }

  /** Connects to some node of a store. */
  static GeoProbe connect(GeoSettings settings) throws CommandFailure {
    try {
      return new GeoProbe(RemoteGeo.connect(settings));
    } catch (GeoException e) {
      throw new CommandFailure(e.getMessage() + ".", e);
    }
  }

  /** Asks a node; null if it does not answer. */
  Said ask(HostPort address) throws InterruptedException {
    return ask(address, false);
  }

  /** The same, with digests of all partitions. */
  Said ask(HostPort address, boolean digests) throws InterruptedException {
    String text;
    try {
      text = geo.status(address, digests).get(SECONDS_MAX, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // That it does not answer is the answer.
      return null;
    }
    String[] lines = text.split("\n");
    List<Map<String, String>> partitions = new ArrayList<>();
    for (int i = 1; i < lines.length; i++) {
      partitions.add(words(lines[i]));
    }
    return new Said(words(lines[0]), partitions);
  }

  /** Tells a node to remove a datacenter. A call that fails is only tried again by the caller. */
  void remove(HostPort address, String datacenter) throws InterruptedException {
    try {
      geo.remove(address, datacenter).get(SECONDS_MAX, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // The answer to the next question tells.
      return;
    }
  }

  private static Map<String, String> words(String line) {
    Map<String, String> words = new HashMap<>();
    for (String each : line.split(" ")) {
      int at = each.indexOf('=');
      if (at > 0) {
        words.put(each.substring(0, at), each.substring(at + 1));
      }
    }
    return words;
  }

  @Override
  public void close() {
    geo.close();
  }
}
