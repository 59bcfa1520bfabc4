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
package org.orcagrid.client;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Keys as a {@link View}, embedded, at members and from outside; {@code MapsTest} has the maps. */
class ViewTest extends TcpGridFixture {
  /** Keys beside those of sessions. */
  private static final Codec<String> BESIDE =
      Codec.of(
          (key, out) -> Codec.STRING.write("shared " + key, out),
          in -> Codec.STRING.read(in).substring("shared ".length()));

  /** A place where a program can be. */
  private interface Place {
    GridSession openSession();

    <V> View<String, V> shared(Codec<V> values);
  }

  private static Place at(Grid grid) {
    return new Place() {
      @Override
      public GridSession openSession() {
        return grid.openSession();
      }

      @Override
      public <V> View<String, V> shared(Codec<V> values) {
        return grid.view(BESIDE, values);
      }
    };
  }

  private static Place at(EmbeddedGrid grid, int node) {
    return new Place() {
      @Override
      public GridSession openSession() {
        return grid.openSession(node);
      }

      @Override
      public <V> View<String, V> shared(Codec<V> values) {
        return grid.view(node, BESIDE, values);
      }
    };
  }

  /** The keys as all threads share them. */
  private static ViewContract.Opening shared(Place place) {
    return new ViewContract.Opening() {
      @Override
      public <V> View<String, V> open(Codec<V> values) {
        return place.shared(values).timeout(PATIENCE);
      }
    };
  }

  /** The keys of sessions, one for each view. */
  private ViewContract.Opening keys(Place place) {
    return new ViewContract.Opening() {
      @Override
      public <V> View<String, V> open(Codec<V> values) {
        GridSession session = place.openSession();
        opened.add(session);
        return session.view(Codec.STRING, values).timeout(PATIENCE);
      }
    };
  }

  private Stream<DynamicTest> contract(List<? extends Place> places) {
    Place here = places.get(0);
    Place there = places.get(places.size() - 1);
    return Stream.of(
        DynamicTest.dynamicTest("keys", () -> new ViewContract(keys(here), keys(there)).all()),
        DynamicTest.dynamicTest(
            "shared keys", () -> new ViewContract(shared(here), shared(there)).all()));
  }

  @TestFactory
  Stream<DynamicTest> embedded() {
    EmbeddedGrid grid = Grid.embedded(NODES);
    opened.add(grid);
    return contract(IntStream.range(0, NODES).mapToObj(node -> at(grid, node)).toList());
  }

  @TestFactory
  Stream<DynamicTest> atMembers() throws Exception {
    start();
    return contract(members.stream().map(ViewTest::at).toList());
  }

  @TestFactory
  Stream<DynamicTest> fromOutside() throws Exception {
    start();
    return contract(
        nodes.stream().map(each -> connect(List.of(each), null)).map(ViewTest::at).toList());
  }
}
