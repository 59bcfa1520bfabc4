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

import java.util.List;
import org.orcagrid.client.View;
import org.orcagrid.client.map.AtomicGridMap;
import org.orcagrid.client.map.GridMap;

/** Keys and values that a shell reads and writes. Throws what the client throws. */
sealed interface ShellValues {
  /** What the prompt says. */
  String title();

  /** The value of a key, null for none. */
  String get(String key);

  void set(String key, String value);

  /** Takes a key's value away. */
  void delete(String key);

  /**
   * Writes if the key has what is expected; null for no value.
   *
   * @return whether it had
   * @throws CommandFailure if there is no such operation here
   */
  boolean compareAndSet(String key, String expected, String value) throws CommandFailure;

  /**
   * All keys, in order.
   *
   * @throws CommandFailure if they cannot be listed
   */
  List<String> keys() throws CommandFailure;

  /**
   * How many keys there are.
   *
   * @throws CommandFailure if they cannot be counted
   */
  int size() throws CommandFailure;

  /** A map. */
  record OfMap(GridMap<String, String> map) implements ShellValues {
    @Override
    public String title() {
      return map.name();
    }

    @Override
    public String get(String key) {
      return map.get(key);
    }

    @Override
    public void set(String key, String value) {
      map.set(key, value);
    }

    @Override
    public void delete(String key) {
      map.delete(key);
    }

    @Override
    public boolean compareAndSet(String key, String expected, String value) throws CommandFailure {
      if (!(map instanceof AtomicGridMap<String, String> atomic)) {
        throw new CommandFailure(
            "The map '"
                + map.name()
                + "' of the model "
                + map.model()
                + " has no compare-and-set: its nodes write without asking others; use 'set', or a"
                + " map of another model, as linearizable/synchronous");
      }
      return expected == null
          ? atomic.putIfAbsent(key, value) == null
          : atomic.replace(key, expected, value);
    }

    @Override
    public List<String> keys() {
      return map.keySet().stream().sorted().toList();
    }

    @Override
    public int size() {
      return map.size();
    }
  }

  /** The grid's own keys, in memory; each access is linearizable. */
  record OfGrid(View<String, String> view) implements ShellValues {
    @Override
    public String title() {
      return "kite";
    }

    @Override
    public String get(String key) {
      return view.getAcquire(key);
    }

    @Override
    public void set(String key, String value) {
      view.setRelease(key, value);
    }

    @Override
    public void delete(String key) {
      view.deleteRelease(key);
    }

    @Override
    public boolean compareAndSet(String key, String expected, String value) {
      return view.compareAndSet(key, expected, value);
    }

    @Override
    public List<String> keys() throws CommandFailure {
      throw notListed();
    }

    @Override
    public int size() throws CommandFailure {
      throw notListed();
    }

    private static CommandFailure notListed() {
      return new CommandFailure(
          "The grid's own keys cannot be listed or counted; ask for one with 'get K', or choose a"
              + " map with 'map NAME'");
    }
  }
}
