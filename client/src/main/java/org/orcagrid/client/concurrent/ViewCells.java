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
package org.orcagrid.client.concurrent;

import java.util.function.Predicate;
import org.orcagrid.client.Codec;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.View;
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.ddp.model.Ddp;

/** Variables of anything that has the access modes: keys, or a map with release consistency. */
final class ViewCells<V> implements Cells<V> {
  /** Keys that are removed stay for a while, so that it is better to use them again. */
  private static final int KEPT_MAX = 256;

  private final View<Part, V> view;
  private final Kept kept;
  private final int keptMax;

  private ViewCells(View<Part, V> view, Kept kept, int keptMax) {
    this.view = view;
    this.kept = kept;
    this.keptMax = keptMax;
  }

  /**
   * Variables among the keys of a session, which are in memory: all of them begin anew together.
   */
  static <V> ViewCells<V> of(GridSession session, Codec<V> values) {
    return new ViewCells<>(session.view(Part.CODEC, values), Kept.ALWAYS, KEPT_MAX);
  }

  /** Variables in the map of that name, which is made if it is not there. */
  static <V> ViewCells<V> of(GridMaps maps, String name, Codec<V> values, Ddp model) {
    // None is used again: a removal that was given up may still take place, and would meet the
    // node's next life.
    return new ViewCells<>(
        maps.releaseMap(name, Part.CODEC, values, model), Kept.of(model.persistency()), 0);
  }

  @Override
  public V get(Part part) {
    return view.get(part);
  }

  @Override
  public V getAcquire(Part part) {
    return view.getAcquire(part);
  }

  @Override
  public void prepare(Part part, V value) {
    view.set(part, value);
  }

  @Override
  public boolean compareAndSet(Part part, V expected, V value) {
    return view.compareAndSet(part, expected, value);
  }

  @Override
  public boolean weakCompareAndSet(Part part, V expected, V value) {
    return view.weakCompareAndSet(part, expected, value);
  }

  @Override
  public void hint(Part part, V expected, V value) {
    // What it answers nobody needs, not even that it has failed.
    view.weakCompareAndSetAsync(part, expected, value);
  }

  @Override
  public void remove(Part part) {
    view.deleteAsync(part);
  }

  @Override
  public boolean isKept(Part part, Predicate<V> written) {
    return kept.isKept(() -> getAcquire(part), written);
  }

  @Override
  public boolean keepsAll() {
    return kept.keepsAll();
  }

  @Override
  public int keptMax() {
    return keptMax;
  }
}
