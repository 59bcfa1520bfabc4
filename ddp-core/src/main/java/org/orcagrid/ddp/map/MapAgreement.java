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
package org.orcagrid.ddp.map;

import java.util.Optional;
import java.util.function.Consumer;
import org.orcagrid.ddp.membership.Shares;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;

/** What is agreed on when a map is added or removed. */
public final class MapAgreement {
  private MapAgreement() {}

  /**
   * Adds a map by the next view, or finds the one that is there.
   *
   * @param view the view; null if there is none yet
   * @param next takes the next view, if one is needed
   * @return empty if there is nobody who serves, and it is to be tried again
   * @throws IllegalStateException if there is a map of this name and another model
   */
  public static Optional<MapDefinition> define(
      AgreedView view,
      String name,
      Ddp model,
      Conflicts conflicts,
      int copies,
      Consumer<AgreedView> next) {
    MapDefinition.requireName(name);
    if (view == null) {
      return Optional.empty();
    }
    MapDefinition wanted = new MapDefinition(view.nextMap(), name, model, conflicts, copies);
    Optional<MapDefinition> there = view.map(name);
    if (there.isPresent()) {
      if (!there.get().isAs(wanted)) {
        throw new IllegalStateException(
            "There is a "
                + describe(there.get())
                + " already, and it cannot be "
                + describe(wanted)
                + ": a map keeps its model and its copies; take another name, or remove it first");
      }
      return there;
    }
    if (view.nodes().serving() == 0) {
      return Optional.empty();
    }
    requireEnoughServe(view, wanted);
    next.accept(view.with(wanted));
    return Optional.of(wanted);
  }

  private static String describe(MapDefinition map) {
    String copies = map.copies() == 0 ? "a copy at every node" : map.copies() + " copies";
    return map + " with " + copies + " and " + map.conflicts();
  }

  /** With fewer the grid would stop at once. */
  private static void requireEnoughServe(AgreedView view, MapDefinition map) {
    int size = view.nodes().shares().size(view.nodes().parts());
    int serving = Integer.bitCount(view.nodes().serving());
    int least = Shares.servingMin(size, map.copies());
    if (serving < least) {
      throw new IllegalStateException(
          "A grid of %d nodes with a map of %d copies needs %d that serve, and %d do: start the others first, or give '%s' more copies"
              .formatted(size, map.copies(), least, serving, map.name()));
    }
  }

  /**
   * Removes a map by the next view.
   *
   * @return whether there was one; empty if there is nobody who serves, and it is to be tried again
   */
  public static Optional<Boolean> remove(AgreedView view, String name, Consumer<AgreedView> next) {
    if (view == null) {
      return Optional.empty();
    }
    Optional<MapDefinition> there = view.map(name);
    if (there.isEmpty()) {
      return Optional.of(false);
    }
    if (view.nodes().serving() == 0) {
      return Optional.empty();
    }
    next.accept(view.without(there.get()));
    return Optional.of(true);
  }
}
