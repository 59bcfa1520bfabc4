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
package org.orcagrid.processes;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.orcagrid.client.Codec;
import org.orcagrid.geo.Version;
import org.orcagrid.geo.client.GeoException;
import org.orcagrid.geo.client.GeoSession;
import org.orcagrid.geo.client.GeoSettings;
import org.orcagrid.geo.client.GeoView;
import org.orcagrid.geo.client.OutcomeUnknownException;
import org.orcagrid.geo.client.RemoteGeo;
import org.orcagrid.geo.client.Seen;
import org.orcagrid.geo.client.Written;
import org.orcagrid.geo.session.ReadGuarantee;
import org.orcagrid.geo.session.TokenKeys;
import org.orcagrid.geo.session.WriteGuarantee;
import org.orcagrid.processes.GeoOperation.Asked;
import org.orcagrid.processes.GeoOperation.Kind;
import org.orcagrid.processes.GeoOperation.Outcome;
import org.orcagrid.processes.GeoOperation.Wish;

/**
 * Clients of a geo store, each with a session that goes from one datacenter's client to another's
 * as a token. They write down all that they are told. One of them asks for no guarantee.
 */
final class GeoLoad implements AutoCloseable {
  static final String VIEW = "rounds";
  private static final List<WriteGuarantee> WRITES = List.of(WriteGuarantee.values());
  private static final int CLIENTS = 6;
  private static final int KEYS = 16;

  /** Long enough for an election, so that some outcomes stay unknown and most do not. */
  private static final Duration TIMEOUT = Duration.ofMillis(2_500);

  private static final Duration SHORT = Duration.ofMillis(40);
  private static final int MOVE_EVERY = 12;
  private static final int NEW_EVERY = 150;
  private static final int PADDING_MAX = 700;
  private static final long PAUSE_NANOS = 4_000_000;

  private final List<RemoteGeo> homes = new ArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Future<List<GeoOperation>>> histories = new ArrayList<>();
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicInteger sessions = new AtomicInteger();
  private final String prefix;

  /** Clients of each datacenter; they begin. */
  GeoLoad(GeoSettings settings, GeoProcesses.Shape shape, long seed, String prefix) {
    this.prefix = prefix;
    TokenKeys keys = TokenKeys.of(1, "a key of these rounds".getBytes(StandardCharsets.UTF_8));
    for (int i = 0; i < shape.datacenters(); i++) {
      homes.add(RemoteGeo.connect(settings.home(shape.name(i)).keys(keys).timeout(TIMEOUT)));
    }
    for (int i = 0; i < CLIENTS; i++) {
      Client client = new Client(new Random(seed * CLIENTS + i), i > 0);
      histories.add(threads.submit(client::run));
    }
  }

  /** The keys that they use. */
  List<String> keys() {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      keys.add(prefix + i);
    }
    return keys;
  }

  /** Operations that were answered. */
  int done() {
    return done.get();
  }

  /** Ends the clients, and tells what they have seen, each session in its order. */
  List<GeoOperation> stop() throws Exception {
    over.set(true);
    List<GeoOperation> all = new ArrayList<>();
    for (Future<List<GeoOperation>> each : histories) {
      all.addAll(each.get(60, TimeUnit.SECONDS));
    }
    return all;
  }

  @Override
  public void close() {
    over.set(true);
    threads.shutdownNow();
    homes.forEach(RemoteGeo::close);
  }

  /** A client; of its own thread. */
  private final class Client {
    private final Random random;
    private final boolean isHeld;
    private final List<GeoOperation> history = new ArrayList<>();
    private final Map<String, Version> known = new HashMap<>();
    private GeoSession session;
    private long number;
    private int writes;

    /** {@code isHeld} is false for one that asks for nothing. */
    Client(Random random, boolean isHeld) {
      this.random = random;
      this.isHeld = isHeld;
    }

    List<GeoOperation> run() {
      begin();
      for (int i = 1; !over.get(); i++) {
        if (i % NEW_EVERY == 0) {
          begin();
        } else if (random.nextInt(MOVE_EVERY) == 0) {
          session = homes.get(random.nextInt(homes.size())).resume(session.token());
        }
        step();
        LockSupport.parkNanos(random.nextLong(2 * PAUSE_NANOS));
      }
      return history;
    }

    private void begin() {
      session = homes.get(random.nextInt(homes.size())).openSession();
      number = sessions.incrementAndGet();
      known.clear();
    }

    private void step() {
      int datacenter = random.nextInt(homes.size());
      String key = prefix + random.nextInt(KEYS);
      GeoView<String, String> view =
          session
              .view(VIEW, Codec.STRING, Codec.STRING)
              .at(homes.get(0).datacenters().get(datacenter));
      if (!isHeld) {
        // It looks at once where its write has not come yet.
        write(view, Kind.PUT, key, datacenter);
        int other = (datacenter + 1) % homes.size();
        read(view.at(homes.get(0).datacenters().get(other)), key, other);
        return;
      }
      int chance = random.nextInt(100);
      if (chance < 45) {
        read(view, key, datacenter);
      } else if (chance < 70) {
        write(view, Kind.PUT, key, datacenter);
      } else if (chance < 78) {
        write(view, Kind.DELETE, key, datacenter);
      } else if (chance < 86 || !known.containsKey(key)) {
        write(view, Kind.ABSENT, key, datacenter);
      } else {
        write(view, Kind.REPLACE, key, datacenter);
      }
    }

    private void read(GeoView<String, String> view, String key, int datacenter) {
      ReadGuarantee guarantee =
          isHeld
              ? new ReadGuarantee(random.nextBoolean(), random.nextBoolean(), null, false)
              : ReadGuarantee.EVENTUAL;
      if (random.nextInt(4) == 0) {
        guarantee = guarantee.within(SHORT);
        guarantee = random.nextBoolean() ? guarantee.orOlder() : guarantee;
      }
      Wish wish =
          isHeld
              ? new Wish(guarantee.monotonic(), guarantee.ownWrites(), true)
              : new Wish(true, true, false);
      Asked asked = new Asked(Kind.READ, key, null, null, datacenter, wish);
      try {
        Seen<String> seen = view.get(key, guarantee);
        if (seen.version().isThere()) {
          known.put(key, seen.version());
        }
        // Who is content with what is older gets no promise.
        Wish kept = seen.isOlder() ? new Wish(false, false, isHeld) : wish;
        add(
            new Asked(Kind.READ, key, null, null, datacenter, kept),
            Outcome.DONE,
            seen.version(),
            id(seen.value()));
      } catch (GeoException e) {
        add(asked, Outcome.REFUSED, Version.NONE, e.getMessage());
      }
    }

    private void write(GeoView<String, String> view, Kind kind, String key, int datacenter) {
      WriteGuarantee guarantee =
          isHeld ? WRITES.get(random.nextInt(WRITES.size())) : WriteGuarantee.EVENTUAL;
      writes++;
      String id = kind == Kind.DELETE ? null : prefix + number + "." + writes;
      Wish wish =
          isHeld
              ? new Wish(guarantee.afterReads(), guarantee.afterWrites(), true)
              : new Wish(true, true, false);
      Version expected = known.get(key);
      Asked asked = new Asked(kind, key, id, expected, datacenter, wish);
      String value = id + ":" + "x".repeat(random.nextInt(PADDING_MAX));
      try {
        Written written =
            switch (kind) {
              case PUT -> new Written(true, view.put(key, value, guarantee));
              case DELETE -> new Written(true, view.delete(key, guarantee));
              case ABSENT -> view.putIfAbsent(key, value, guarantee);
              case REPLACE -> view.replace(key, value, expected, guarantee);
              case READ -> throw new IllegalArgumentException("A read writes nothing");
            };
        if (written.version().isThere()) {
          known.put(key, written.version());
        }
        add(asked, written.isDone() ? Outcome.DONE : Outcome.NOT_HELD, written.version(), id);
      } catch (OutcomeUnknownException e) {
        add(asked, Outcome.UNKNOWN, Version.NONE, e.getMessage());
      } catch (GeoException e) {
        add(asked, Outcome.REFUSED, Version.NONE, e.getMessage());
      }
    }

    private void add(Asked asked, Outcome outcome, Version version, String value) {
      history.add(new GeoOperation(number, asked, outcome, version, value));
      if (outcome == Outcome.DONE) {
        done.incrementAndGet();
      }
    }
  }

  /** What a value says of its write, without what makes it long. */
  static String id(String value) {
    return value == null ? null : value.substring(0, value.indexOf(':'));
  }
}
