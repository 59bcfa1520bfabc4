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
package org.orcagrid.cad.cluster;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.orcagrid.cad.QuorumRule;

/**
 * Who votes, as each server knows it: the configuration in force, and the one that was proposed and
 * is pending. A server learns of them as with ZooKeeper: by the proposal and by its commit, from
 * the leader that it joins, and from others while it looks for one.
 */
final class Configurations {
  /** The servers that vote, from some version on. */
  record Configuration(long version, Set<Integer> voters) {
    boolean votes(long id) {
      return voters.contains((int) id);
    }

    boolean isQuorum(Collection<Integer> servers) {
      return servers.stream().filter(voters::contains).distinct().count() > voters.size() / 2;
    }

    QuorumRule rule() {
      return (ids, count) -> {
        int found = 0;
        for (int n = 0; n < count; n++) {
          found += votes(ids[n]) ? 1 : 0;
        }
        return found > voters.size() / 2;
      };
    }
  }

  /** What one server knows. */
  static final class Known {
    private Configuration current;
    private Configuration next;

    /** What it knows of the one that is pending after a power cut. */
    private Configuration nextOnDisk;

    private Known(Configuration current) {
      this.current = current;
    }

    Configuration current() {
      return current;
    }

    boolean isPending() {
      return next != null;
    }

    /** In memory alone, until {@link #onForced}: its file comes before the entry of the log. */
    void onProposal(Configuration proposed) {
      next = proposed;
    }

    void onForced() {
      nextOnDisk = next;
    }

    /** It is committed, and on disk when this returns. */
    void activate(Configuration committed) {
      if (committed.version() > current.version()) {
        current = committed;
      }
      if (next != null && next.version() <= current.version()) {
        next = null;
      }
      onForced();
    }

    void onCrash() {
      next = nextOnDisk;
    }

    boolean votesNowOrNext(long id) {
      return current.votes(id) || (next != null && next.votes(id));
    }

    /** A quorum of both while one is pending. */
    boolean isQuorum(Collection<Integer> servers) {
      return current.isQuorum(servers) && (next == null || next.isQuorum(servers));
    }

    /** As {@link #isQuorum}, for the classes that ship. */
    QuorumRule rule(boolean underTheOldOneAlone) {
      return (ids, count) ->
          current.rule().isQuorum(ids, count)
              && (next == null || underTheOldOneAlone || next.rule().isQuorum(ids, count));
    }
  }

  private final List<Known> ofServers = new ArrayList<>();
  private long versions;

  /** The first {@code voters} of so many servers vote. */
  Configurations(int servers, int voters) {
    Set<Integer> first = new TreeSet<>();
    for (int id = 0; id < voters; id++) {
      first.add(id);
    }
    for (int id = 0; id < servers; id++) {
      ofServers.add(new Known(new Configuration(0, first)));
    }
  }

  Known of(int server) {
    return ofServers.get(server);
  }

  Configuration create(Set<Integer> voters) {
    versions++;
    return new Configuration(versions, Set.copyOf(voters));
  }

  /** Servers that look for a leader adopt the newest configuration in force that they hear of. */
  void gossip(Collection<Integer> looking, Collection<Integer> heard) {
    for (int one : looking) {
      for (int other : heard) {
        of(one).activate(of(other).current());
      }
    }
  }

  /** Whether this server can lead these, itself among them, in a new epoch. */
  boolean elects(int leader, Collection<Integer> servers) {
    return of(leader).isQuorum(servers);
  }

  /** A quorum of both is in sync with this leader: what was pending is in force. */
  void complete(int leader) {
    Known known = of(leader);
    if (known.next != null) {
      known.activate(known.next);
    }
  }

  /** A server is in sync with its leader. */
  void follow(int server, int leader) {
    Known known = of(server);
    known.activate(of(leader).current);
    known.next = of(leader).next;
    known.onForced();
  }
}
