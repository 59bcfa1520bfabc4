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
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.orcagrid.client.Codec;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.map.MapHost;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.server.settings.OrcaConfigException;

/**
 * A node of our maps, used through the client. Its variants are models, each with a map, or {@code
 * keys}, the grid's own by a session, or {@code shared}, the same by a view for many threads. A
 * number behind an @ is the share of synchronization in percent: reads that are acquires, and
 * writes that are releases.
 */
public final class MapLoad extends PipelinedLoad {
  private static final String KEYS = "keys";
  private static final String SHARED = "shared";

  /** The most there is: a relaxed write takes its place until all have it. */
  private static final int SESSION_DEPTH = 256;

  private final MapProcess process;
  private final Map<String, Accesses> uses = new HashMap<>();

  /**
   * Starts it; returns when all nodes are there.
   *
   * @throws IOException if it cannot be started
   */
  public MapLoad(LoadSettings settings)
      throws IOException, InterruptedException, OrcaConfigException {
    super(settings);
    process = new MapProcess(settings);
    MapHost host = new MapHost(process.node(), process.deadlines());
    for (String variant : variants()) {
      uses.put(variant, accesses(variant.split("@"), host));
    }
  }

  private Accesses accesses(String[] variant, MapHost host) {
    if (variant[0].equals(KEYS)) {
      GridSession session = process.openSession(SESSION_DEPTH);
      return Accesses.ofKeys(session, percent(variant));
    }
    if (variant[0].equals(SHARED)) {
      return Accesses.ofReleases(process.sharedKeys(), percent(variant));
    }
    Ddp model = Ddp.parse(variant[0]);
    String name = MapProcess.name(variant[0]);
    return variant.length == 1
        ? Accesses.of(host.map(name, Codec.LONG, Codec.BYTES, model))
        : Accesses.ofReleases(
            host.releaseMap(name, Codec.LONG, Codec.BYTES, model), percent(variant));
  }

  private static double percent(String[] variant) {
    return Double.parseDouble(variant[1]);
  }

  @Override
  public String product() {
    return "Orca Grid maps, this build";
  }

  @Override
  protected CompletionStage<?> read(String variant, long key) {
    return uses.get(variant).read(key);
  }

  @Override
  protected CompletionStage<?> write(String variant, long key, byte[] value) {
    return uses.get(variant).write(key, value);
  }

  @Override
  protected String state() {
    return process.state();
  }

  /** Frames that found no room, and were sent again. */
  @Override
  public long disturbances() {
    return process.node().droppedFrames();
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
