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
package org.orcagrid.geo.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.orcagrid.ddp.durable.DurableMedium;
import org.orcagrid.ddp.worker.Engine;
import org.orcagrid.ddp.worker.NodePart;
import org.orcagrid.ddp.worker.Packets;
import org.orcagrid.ddp.worker.Worker;
import org.orcagrid.geo.log.GroupJournal;

/**
 * The partitions of a node: an engine at each worker. A partition is of the worker that it says.
 */
final class GeoPart implements NodePart {
  private final GeoEngine.Shared shared;
  private final int workers;
  private final Media media;
  private final List<GeoEngine> engines = new ArrayList<>();

  /** Opens a worker's medium. */
  interface Media {
    DurableMedium open(int worker) throws IOException;
  }

  GeoPart(GeoEngine.Shared shared, int workers, Media media) {
    this.shared = shared;
    this.workers = workers;
    this.media = media;
  }

  @Override
  public Engine engine(Worker worker, Packets packets) {
    GeoPlan plan = shared.plan();
    List<Integer> own = new ArrayList<>();
    for (int i = 0; i < plan.partitions(); i++) {
      if (i % workers == worker.number() && plan.placement(i).datacenter(plan.self()) >= 0) {
        own.add(i);
      }
    }
    try {
      GroupJournal journal = new GroupJournal(media.open(worker.number()), worker::wakeUp);
      GeoEngine engine = new GeoEngine(worker, packets, journal, shared, own);
      engines.add(engine);
      return engine;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Does something with a partition in its worker's thread; with null if it is not here. */
  void execute(int partition, Consumer<HostedPartition> what) {
    GeoEngine engine = engines.get(partition % workers);
    engine.execute(() -> what.accept(engine.partition(partition)));
  }

  /** Does something with all partitions here, in their workers' threads. */
  void forEach(Consumer<HostedPartition> what) {
    engines.forEach(each -> each.execute(() -> each.forEach(what)));
  }

  /** What each partition here says, by workers. */
  <T> List<CompletionStage<List<T>>> ask(Function<HostedPartition, T> question) {
    List<CompletionStage<List<T>>> all = new ArrayList<>();
    for (GeoEngine each : engines) {
      CompletableFuture<List<T>> answer = new CompletableFuture<>();
      all.add(answer);
      each.execute(
          () -> {
            List<T> answers = new ArrayList<>();
            each.forEach(partition -> answers.add(question.apply(partition)));
            answer.complete(answers);
          });
    }
    return all;
  }

  /** The node's time of day. */
  long wallMillis() {
    return shared.wall().getAsLong();
  }

  long journalBytes() {
    return engines.stream().mapToLong(GeoEngine::journalBytes).sum();
  }
}
