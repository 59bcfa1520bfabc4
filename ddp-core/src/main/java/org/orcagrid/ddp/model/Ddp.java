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
package org.orcagrid.ddp.model;

import java.util.ArrayList;
import java.util.List;

/**
 * A model: a consistency bound to a persistency (DDP, section 4).
 *
 * @param consistency when a write becomes visible
 * @param persistency when it becomes durable
 */
public record Ddp(Consistency consistency, Persistency persistency) {

  /** The model that binds these two. */
  public static Ddp of(Consistency consistency, Persistency persistency) {
    return new Ddp(consistency, persistency);
  }

  /** All thirty-six, by consistency and then by persistency. */
  public static List<Ddp> all() {
    List<Ddp> all = new ArrayList<>();
    for (Consistency consistency : Consistency.values()) {
      for (Persistency persistency : Persistency.values()) {
        all.add(new Ddp(consistency, persistency));
      }
    }
    return List.copyOf(all);
  }

  /**
   * The twenty-five of the paper, which has neither release consistency nor {@link
   * Persistency#NONE}, in the same order.
   */
  public static List<Ddp> ofPaper() {
    return all().stream()
        .filter(model -> model.consistency() != Consistency.RELEASE)
        .filter(model -> model.persistency().isOfPaper())
        .toList();
  }

  /**
   * The model with this name, as {@link #id} gives it.
   *
   * @throws IllegalArgumentException if there is none, saying which there are
   */
  public static Ddp parse(String id) {
    return all().stream()
        .filter(model -> model.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "There is no model '"
                        + id
                        + "'; a consistency ("
                        + String.join(", ", ids(Consistency.values()))
                        + ") and a persistency ("
                        + String.join(", ", ids(Persistency.values()))
                        + ") make one, as in causal/synchronous"));
  }

  private static List<String> ids(Enum<?>[] values) {
    List<String> ids = new ArrayList<>();
    for (Enum<?> value : values) {
      ids.add(value instanceof Consistency c ? c.id() : ((Persistency) value).id());
    }
    return ids;
  }

  /** Its name in settings and commands: {@code causal/synchronous}. */
  public String id() {
    return consistency.id() + "/" + persistency.id();
  }

  /** Says in plain words when a write is visible, when it is durable and what a crash can take. */
  public String explain() {
    return new Explanation(this).text();
  }

  @Override
  public String toString() {
    return id();
  }
}
