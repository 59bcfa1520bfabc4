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
import org.orcagrid.client.GridException;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.View;

/** Variables among the keys of a grid's sessions, which are in memory. */
final class SessionCells<V> implements Cells<V> {
  private static final System.Logger LOG = System.getLogger(SessionCells.class.getName());

  /** Keys that are removed stay for a while, so that it is better to use them again. */
  private static final int KEPT_MAX = 256;

  private final View<Part, V> view;

  SessionCells(GridSession session, Codec<V> values) {
    this.view = session.view(Part.CODEC, values);
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
    try {
      view.weakCompareAndSet(part, expected, value);
    } catch (GridException | IllegalStateException e) {
      LOG.log(System.Logger.Level.DEBUG, "A hint was not given", e);
    }
  }

  @Override
  public void remove(Part part) {
    view.delete(part);
  }

  @Override
  public boolean isKept(Part part, Predicate<V> written) {
    return true;
  }

  /** All of them begin anew together. */
  @Override
  public boolean keepsAll() {
    return true;
  }

  @Override
  public int keptMax() {
    return KEPT_MAX;
  }
}
