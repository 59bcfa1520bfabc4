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

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.orcagrid.client.Codec;
import org.orcagrid.client.map.MapHost;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.server.settings.OrcaConfigException;

/**
 * A node of our maps, used through the client. Its variants are models, each with a map, or {@code
 * keys}, the grid's own by a session of each thread, or {@code shared}, the same by a view for all.
 * A number behind an @ is the share of synchronization in percent: reads that are acquires, and
 * writes that are releases. {@code nothing} is an empty operation of a map's worker, and {@code
 * hash-map} is no grid at all: what others cannot be faster than.
 */
public final class MapLoad extends ClientLoad {
  private static final String KEYS = "keys";
  private static final String SHARED = "shared";
  private static final String NOTHING = "nothing";
  private static final String HASH_MAP = "hash-map";
  private static final byte[] SOMETHING = new byte[1];

  /** The most there is: a relaxed write takes its place until all have it. */
  private static final int SESSION_DEPTH = 256;

  private final MapProcess process;
  private final MapHost host;
  private final LoadSettings.Data data;

  /** What all threads share. */
  private final Map<String, Accesses> shared = new HashMap<>();

  /**
   * Starts it; returns when all nodes are there.
   *
   * @throws IOException if it cannot be started
   */
  public MapLoad(LoadSettings settings)
      throws IOException, InterruptedException, OrcaConfigException {
    super(settings);
    data = settings.data();
    process = new MapProcess(settings);
    host = new MapHost(process.node(), process.deadlines());
    for (String variant : variants()) {
      if (!variant.startsWith(KEYS)) {
        shared.put(variant, shared(variant.split("@")));
      }
    }
  }

  @Override
  protected List<String> filled() {
    return variants().stream()
        .filter(variant -> !variant.equals(NOTHING) && !variant.equals(HASH_MAP))
        .toList();
  }

  @Override
  protected Accesses open(String variant) {
    Accesses found = shared.get(variant);
    return found != null
        ? found
        : GridAccesses.ofSession(process.openSession(SESSION_DEPTH), percent(variant.split("@")));
  }

  private Accesses shared(String[] variant) throws IOException, InterruptedException {
    if (variant[0].equals(HASH_MAP)) {
      ConcurrentHashMap<Long, byte[]> own = new ConcurrentHashMap<>();
      for (long key = 0; key < data.keys(); key++) {
        own.put(key, new byte[data.valueBytes()]);
      }
      return GridAccesses.of(own);
    }
    if (variant[0].equals(NOTHING)) {
      MapDefinition map = process.map(NOTHING, Ddp.parse("linearizable/none"));
      return GridAccesses.ofTasks(() -> process.node().ask(map, replica -> SOMETHING));
    }
    if (variant[0].equals(SHARED)) {
      return GridAccesses.ofReleases(process.sharedKeys(), percent(variant));
    }
    Ddp model = Ddp.parse(variant[0]);
    String name = MapProcess.name(variant[0]);
    return variant.length == 1
        ? GridAccesses.of(host.map(name, Codec.LONG, Codec.BYTES, model))
        : GridAccesses.ofReleases(
            host.releaseMap(name, Codec.LONG, Codec.BYTES, model), percent(variant));
  }

  private static double percent(String[] variant) {
    return Double.parseDouble(variant[1]);
  }

  @Override
  public String product() {
    return "Orca Grid, this build";
  }

  @Override
  protected String state() {
    return process.state();
  }

  /** Slow releases of keys, and frames of maps that found no room and were sent again. */
  @Override
  public long disturbances() {
    return process.slowReleases() + process.node().droppedFrames();
  }

  @Override
  public String failure() {
    return process.failure() != null ? process.failure() : super.failure();
  }

  @Override
  public void close() {
    process.close();
  }
}
