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

import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import org.orcagrid.ddp.membership.LeaseTimes;

/**
 * Finds the membership of a node among nodes in other processes. A jar on the class path provides
 * it, so that programs without such nodes need none.
 */
public interface MembershipProvider {

  /**
   * Whose membership it is.
   *
   * @param ensemble who agrees on views: host:port of some servers, with commas between them
   * @param grid the grid's name
   * @param size with how many places it begins
   * @param sizeMax how many it may have
   * @param address where the node listens, as the others reach it
   * @param folder where the node's maps are; one process at a time can have it
   * @param times the lease; the same at all nodes
   * @param credential by which the ensemble knows the grid's nodes, and which they all have; null
   *     if it cannot tell them from others
   * @param hosted whether the node is part of a server of the ensemble
   */
  record Place(
      String ensemble,
      String grid,
      int size,
      int sizeMax,
      String address,
      Path folder,
      LeaseTimes times,
      String credential,
      boolean hosted) {
    /** The place of a node in a process of its own. */
    public Place(
        String ensemble,
        String grid,
        int size,
        int sizeMax,
        String address,
        Path folder,
        LeaseTimes times,
        String credential) {
      this(ensemble, grid, size, sizeMax, address, folder, times, credential, false);
    }

    /** The same of a node that is part of a server of the ensemble. */
    public Place asHosted() {
      return new Place(ensemble, grid, size, sizeMax, address, folder, times, credential, true);
    }

    @Override
    public String toString() {
      return "the place of " + folder + " in the grid " + grid + " of " + ensemble;
    }
  }

  /**
   * Takes the node's place; closed by its owner.
   *
   * @throws IOException if the ensemble does not answer, has no place for the folder, or knows less
   *     than the folder does
   */
  Views join(Place place) throws IOException, InterruptedException;

  /**
   * Gives a folder a place that the grid did not have, unless it has one. When a node joins with
   * that folder, the grid grows by it. What the place has of its address and its times is not used.
   *
   * @return the place
   * @throws IOException if the ensemble does not answer, or the grid has as many places as it may
   */
  int add(Place place) throws IOException, InterruptedException;

  /**
   * Has the grid lose the place of the node at an address, and waits until it has. That node may be
   * gone. What {@code place} has of an address, a folder and times is not used.
   *
   * @param limitNanos how long to wait; the place goes on leaving after that
   * @param says is told what is waited for, when that changes
   * @return the place
   * @throws IOException if the ensemble does not answer, the grid cannot lose the place, or it has
   *     not left in time, saying what it waits for
   */
  int remove(Place place, String address, long limitNanos, Consumer<String> says)
      throws IOException, InterruptedException;

  /**
   * The provider that there is.
   *
   * @throws IOException if there is none
   */
  static MembershipProvider find() throws IOException {
    Iterator<MembershipProvider> providers =
        ServiceLoader.load(MembershipProvider.class, MembershipProvider.class.getClassLoader())
            .iterator();
    if (!providers.hasNext()) {
      throw new IOException(
          "Nothing on the class path agrees on views by an ensemble: add"
              + " org.orcagrid:membership-zookeeper");
    }
    return providers.next();
  }
}
