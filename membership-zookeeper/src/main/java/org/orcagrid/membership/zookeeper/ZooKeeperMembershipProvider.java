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
package org.orcagrid.membership.zookeeper;

import java.io.IOException;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException;
import org.orcagrid.ddp.map.MembershipProvider;
import org.orcagrid.ddp.map.Views;

/** Memberships by an ensemble of ORCA or ZooKeeper servers. */
public final class ZooKeeperMembershipProvider implements MembershipProvider {
  private static final int SESSION_TIMEOUT_MS = 4_000;

  /** For {@link java.util.ServiceLoader}. */
  public ZooKeeperMembershipProvider() {}

  static GridRegistry registry(Place place, Runnable news) {
    return new GridRegistry(
        EnsembleAddresses.of(place), place.grid(), place.credential(), SESSION_TIMEOUT_MS, news);
  }

  @Override
  public Views join(Place place) throws IOException, InterruptedException {
    return new ZooKeeperMembership(place);
  }

  @Override
  public int add(Place place) throws IOException, InterruptedException {
    try (PlaceFolder folder = PlaceFolder.take(place.folder());
        GridRegistry registry = registry(place, () -> {})) {
      registry.connect();
      registry.sync();
      return registry.add(folder.identity(), place.sizeMax());
    } catch (KeeperException e) {
      throw new IOException(
          "The ensemble at %s does not add a place to the grid %s: %s"
              .formatted(place.ensemble(), place.grid(), e.getMessage()),
          e);
    }
  }

  @Override
  public int remove(Place place, String address, long limitNanos, Consumer<String> says)
      throws IOException, InterruptedException {
    try (GridRegistry registry = registry(place, () -> {})) {
      registry.connect();
      registry.sync();
      return registry.removals().remove(address, limitNanos, says);
    } catch (KeeperException e) {
      throw new IOException(
          "The ensemble at %s does not remove a place of the grid %s: %s"
              .formatted(place.ensemble(), place.grid(), e.getMessage()),
          e);
    }
  }
}
