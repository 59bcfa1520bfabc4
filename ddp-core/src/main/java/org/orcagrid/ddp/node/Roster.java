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
package org.orcagrid.ddp.node;

import java.util.List;
import org.orcagrid.ddp.kite.View;

/**
 * A view, and where its nodes are.
 *
 * @param grid tells this life of the grid from earlier ones of the same name
 * @param view the view
 * @param addresses for each place, where its node listens
 * @param self this node's place
 */
public record Roster(long grid, View view, List<String> addresses, int self) {
  /** Refuses what does not fit together. */
  public Roster {
    addresses = List.copyOf(addresses);
    if (addresses.size() != view.joined().size() || self < 0 || self >= addresses.size()) {
      throw new IllegalArgumentException(
          "There is no place " + self + " among " + addresses + " of " + view);
    }
  }
}
