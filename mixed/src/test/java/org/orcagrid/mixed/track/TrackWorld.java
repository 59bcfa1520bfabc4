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
package org.orcagrid.mixed.track;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.world.World;

/**
 * Clients at three replicas of a causal store, beside a strong store, on virtual time from a seed.
 * Replicas are behind and cut off, clients die at any event, peers are asked or not. Every read is
 * judged: it has all that its reader has seen in any way.
 */
final class TrackWorld extends World {
  private static final int REPLICAS = 3;
  private static final int CLIENTS = 5;
  private static final int KEYS = 3;
  private static final long END = 3_000;
  private static final long LAST = 20_000;

  private final Set<TrackRule> rules;
  private final List<Site> sites = new ArrayList<>();
  private final Map<Integer, StrongObject> strong = new HashMap<>();
  private final Map<String, Client> peers = new HashMap<>();
  private final Everywhere everywhere;

  /** What had been seen when a write was made, and the write itself. */
  private final List<BitSet> pasts = new ArrayList<>();

  /** Which object each write is of; strong ones are negative. */
  private final List<Integer> objects = new ArrayList<>();

  private int waiting;

  /** A strong object: all writes so far, what its value depends on, and what it carries. */
  private record StrongObject(BitSet writes, BitSet past, Tombstone carried) {}

  /** A version on its way, and what it is behind. */
  private record Update(int origin, long count, VectorClock behind, Version version) {}

  TrackWorld(long seed, Set<TrackRule> rules) {
    super(seed, END);
    this.rules = rules;
    Set<String> members = new HashSet<>();
    for (int i = 0; i < REPLICAS; i++) {
      sites.add(new Site(i));
      members.add("r" + i);
    }
    this.everywhere = new Everywhere(members, rules);
  }

  @Override
  protected void begin() {
    for (int i = 0; i < CLIENTS; i++) {
      int replica = i % REPLICAS;
      later(random().nextInt(20), () -> new Client(replica).next());
    }
    later(30, this::poll);
  }

  @Override
  protected long restsAt() {
    return LAST;
  }

  @Override
  protected void judge() {
    if (waiting > 0) {
      wrong(waiting + " clients wait for ever");
    }
  }

  /** The worker asks replicas what they have, and tells clients. */
  private void poll() {
    for (Site each : sites) {
      if (!each.isCut() && !chance(10)) {
        everywhere.onClock(each.name, each.clock);
      }
    }
    VectorClock all = everywhere.clock();
    for (Client each : List.copyOf(peers.values())) {
      if (!chance(30)) {
        each.tracker.onEverywhere(all);
      }
    }
    if (!all.equals(VectorClock.NONE)) {
      happens("something is everywhere");
    }
    if (now() < LAST / 2) {
      later(50, this::poll);
    }
  }

  private int newWrite(int object, BitSet past) {
    int write = pasts.size();
    BitSet with = (BitSet) past.clone();
    with.set(write);
    pasts.add(with);
    objects.add(object);
    return write;
  }

  // --- a replica ---------------------------------------------------------------------------------

  /** A replica of the causal store. A version's value is the set of its writes. */
  private final class Site implements Replica {
    private final int number;
    private final String name;
    private final Map<Integer, Version> versions = new HashMap<>();
    private final List<Update> waiting = new ArrayList<>();
    private VectorClock clock = VectorClock.NONE;
    private long cutUntil;

    Site(int number) {
      this.number = number;
      this.name = "r" + number;
    }

    boolean isCut() {
      return !isQuiet() && now() < cutUntil;
    }

    @Override
    public VectorClock clock() {
      return clock;
    }

    @Override
    public Version read(Object key) {
      return versions.get((Integer) key);
    }

    @Override
    public Version merge(Version one, Version other) {
      return union(one, other);
    }

    @Override
    public VectorClock marker(TransactionId id) {
      return null;
    }

    /** Writes here, and sends it to all others, behind all that is here. */
    Version write(int key, int write) {
      VectorClock behind = clock;
      long count = clock.of(name) + 1;
      VectorClock stamp = VectorClock.of(name, count);
      clock = clock.join(stamp);
      BitSet only = new BitSet();
      only.set(write);
      Version made = add(key, new Version(only, stamp));
      for (Site other : sites) {
        if (other != this) {
          send(other, new Update(number, count, behind, made));
        }
      }
      return made;
    }

    private Version add(int key, Version version) {
      Version merged = versions.containsKey(key) ? union(versions.get(key), version) : version;
      versions.put(key, merged);
      return merged;
    }

    private void take(Version version) {
      BitSet writes = (BitSet) version.value();
      int key = objects.get(writes.nextSetBit(0));
      add(key, version);
    }

    private void send(Site other, Update update) {
      long wait = chance(10) ? random().nextInt(800) : random().nextInt(60);
      later(wait, () -> other.arrive(update));
    }

    private void arrive(Update update) {
      if (isCut()) {
        later(50, () -> arrive(update));
        return;
      }
      if (chance(2)) {
        cutUntil = now() + random().nextInt(600);
      }
      waiting.add(update);
      boolean took = true;
      while (took) {
        took = false;
        for (Update each : List.copyOf(waiting)) {
          String origin = "r" + each.origin();
          if (each.behind().isIn(clock) && each.count() == clock.of(origin) + 1) {
            clock = clock.join(VectorClock.of(origin, each.count()));
            take(each.version());
            waiting.remove(each);
            took = true;
          }
        }
      }
    }
  }

  private static Version union(Version one, Version other) {
    BitSet both = new BitSet();
    if (one.value() != null) {
      both.or((BitSet) one.value());
    }
    if (other.value() != null) {
      both.or((BitSet) other.value());
    }
    return new Version(both, one.clock().join(other.clock()));
  }

  // --- a client ----------------------------------------------------------------------------------

  private final class Client {
    private Site site;
    private final String address;
    private final Tracker tracker;
    private final BitSet past = new BitSet();
    private boolean dead;

    /** Some come back where another one was. */
    Client(int replica) {
      this.site = sites.get(replica);
      this.address = "client" + random().nextInt(2 * CLIENTS);
      this.tracker = new Tracker(address, 2 + random().nextInt(4), rules);
      peers.put(address, this);
    }

    private boolean dies() {
      if (!dead && chance(1)) {
        dead = true;
        peers.remove(address, this);
        later(20, () -> new Client(site.number).next());
      }
      return dead;
    }

    void next() {
      if (dies() || isQuiet()) {
        return;
      }
      if (chance(3)) {
        site = sites.get(random().nextInt(REPLICAS));
        happens("a client goes to another replica");
      }
      int key = random().nextInt(KEYS);
      later(
          random().nextInt(30),
          switch (random().nextInt(4)) {
            case 0 -> () -> strongRead(key);
            case 1 -> () -> strongWrite(key);
            case 2 -> () -> causalRead(key, false);
            default -> () -> causalWrite(key, false);
          });
    }

    private void strongRead(int key) {
      if (dies()) {
        return;
      }
      StrongObject object = strong.get(key);
      if (object != null) {
        tracker.onStrongRead(object.carried());
        judge(-1 - key, object.writes());
        past.or(object.past());
      }
      next();
    }

    /** Whoever waits may ask the one who has written what it waits for. */
    private void fetch() {
      Tombstone missing = tracker.missing(site);
      Client writer = missing == null ? null : peers.get(missing.address());
      if (writer != null && writer != this && chance(30)) {
        Tracked told = writer.tracker.told(writer.site);
        happens("a reader is told what it misses");
        later(random().nextInt(40), () -> tracker.onFetched(missing, told, site));
      }
    }

    private void strongWrite(int key) {
      if (dies()) {
        return;
      }
      boolean changes = random().nextBoolean();
      StrongObject present = changes ? strong.get(key) : null;
      Tombstone carried = tracker.onStrongWrite(present == null ? null : present.carried());
      happens("a strong write carries " + (carried == null ? "nothing" : "a tombstone"));
      writeStrong(key, present, carried);
      next();
    }

    private void writeStrong(int key, StrongObject present, Tombstone carried) {
      int write = newWrite(-1 - key, past);
      StrongObject before = strong.get(key);
      BitSet writes = before == null ? new BitSet() : (BitSet) before.writes().clone();
      writes.set(write);
      BitSet behind = (BitSet) pasts.get(write).clone();
      if (present != null) {
        behind.or(present.past());
      }
      past.set(write);
      strong.put(key, new StrongObject(writes, behind, carried));
    }

    private void causalRead(int key, boolean waited) {
      if (ends(waited)) {
        return;
      }
      Version version = tracker.onCausalRead(key, site);
      if (version == null) {
        happens("a causal read waits");
        fetch();
        again(waited, () -> causalRead(key, true));
        return;
      }
      BitSet writes = version.value() == null ? new BitSet() : (BitSet) version.value();
      judge(key, writes);
      writes.stream().forEach(each -> past.or(pasts.get(each)));
      done(waited, this::next);
    }

    private void causalWrite(int key, boolean waited) {
      if (ends(waited)) {
        return;
      }
      if (!tracker.mayWriteCausally(site)) {
        happens("a causal write waits");
        fetch();
        again(waited, () -> causalWrite(key, true));
        return;
      }
      int write = newWrite(key, past);
      past.set(write);
      tracker.onCausalWrite(key, site.write(key, write));
      done(waited, this::next);
    }

    private boolean ends(boolean waited) {
      if (dies()) {
        waiting -= waited ? 1 : 0;
        return true;
      }
      return false;
    }

    private void again(boolean waited, Runnable what) {
      waiting += waited ? 0 : 1;
      later(20, what);
    }

    private void done(boolean waited, Runnable what) {
      waiting -= waited ? 1 : 0;
      what.run();
    }

    /** A read has all writes of its object that the reader has seen in any way. */
    private void judge(int object, BitSet has) {
      past.stream()
          .filter(each -> objects.get(each) == object && !has.get(each))
          .forEach(
              each ->
                  wrong(address + " has seen write " + each + " of " + object + ", not in " + has));
    }
  }
}
