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
package org.orcagrid.bench.geostore;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.orcagrid.client.Codec;
import org.orcagrid.ddp.store.KeyHash;
import org.orcagrid.geo.client.GeoException;
import org.orcagrid.geo.client.GeoSession;
import org.orcagrid.geo.client.GeoView;
import org.orcagrid.geo.client.RemoteGeo;
import org.orcagrid.geo.session.ReadGuarantee;
import org.orcagrid.geo.session.WriteGuarantee;
import org.orcagrid.geo.wire.Encoder;

/**
 * Threads that read and write, by turns, keys of all partitions but one; and some that want that
 * one, as clients of a store do that do not know that it stalls.
 */
final class OthersLoad {
  static final int VALUE_BYTES = 64;
  private static final String VIEW = "b";
  private static final int KEYS = 10_000;
  private static final int WANTING = 2;

  private final List<Client> others = new ArrayList<>();
  private final List<Client> wanting = new ArrayList<>();
  private volatile boolean over;

  /** What a while has shown. */
  record Seen(double perSecond, double p99Millis) {}

  OthersLoad(RemoteGeo geo, int partitions, int threads) {
    for (int i = 0; i < threads; i++) {
      others.add(new Client(geo, partitions, i, false));
    }
    for (int i = 0; i < WANTING; i++) {
      wanting.add(new Client(geo, partitions, threads + i, true));
    }
    others.forEach(Thread::start);
    wanting.forEach(Thread::start);
  }

  static GeoView<byte[], byte[]> view(GeoSession session) {
    return session.view(VIEW, Codec.BYTES, Codec.BYTES);
  }

  /** The bytes of a key without those of the view. */
  static byte[] key(long number) {
    return new Encoder().putLong(number).toBytes();
  }

  private static int partition(byte[] key, int partitions) {
    byte[] all = new Encoder().putByte(1).putRaw(new byte[] {'b'}).putRaw(key).toBytes();
    return (int) Long.remainderUnsigned(KeyHash.hash(all), partitions);
  }

  /** Measures the others for a while. */
  Seen measure(double seconds) throws InterruptedException {
    others.forEach(Client::clear);
    long begin = System.nanoTime();
    TimeUnit.MILLISECONDS.sleep((long) (seconds * 1_000));
    Histogram all = new Histogram(3);
    others.forEach(each -> each.addTo(all));
    double passed = (System.nanoTime() - begin) / 1e9;
    return new Seen(all.getTotalCount() / passed, all.getValueAtPercentile(99) / 1e6);
  }

  void end() throws InterruptedException {
    over = true;
    for (Client each : others) {
      each.join();
    }
    for (Client each : wanting) {
      each.join();
    }
  }

  private final class Client extends Thread {
    private final RemoteGeo geo;
    private final int partitions;
    private final boolean wants;
    private final SplittableRandom random;

    /** Guarded by itself. */
    private final Histogram nanos = new Histogram(3);

    Client(RemoteGeo geo, int partitions, int number, boolean wants) {
      super("bench-geo-client-" + number);
      this.geo = geo;
      this.partitions = partitions;
      this.wants = wants;
      this.random = new SplittableRandom(number);
    }

    void clear() {
      synchronized (nanos) {
        nanos.reset();
      }
    }

    void addTo(Histogram all) {
      synchronized (nanos) {
        all.add(nanos);
      }
    }

    @Override
    public void run() {
      try (GeoSession session = geo.openSession()) {
        GeoView<byte[], byte[]> view = view(session);
        while (!over) {
          byte[] key = key(random.nextInt(KEYS));
          if (partition(key, partitions) == GeoStore.STALLED == wants) {
            operate(view, key);
          }
        }
      }
    }

    private void operate(GeoView<byte[], byte[]> view, byte[] key) {
      long begin = System.nanoTime();
      try {
        if (random.nextBoolean()) {
          view.put(key, new byte[VALUE_BYTES], WriteGuarantee.EVENTUAL);
        } else {
          view.get(key, ReadGuarantee.EVENTUAL);
        }
      } catch (GeoException e) {
        // Of the partition that stalls this is expected, of others it is counted as its time.
        if (!wants) {
          System.err.println("An operation has failed: " + e.getMessage());
        }
      }
      synchronized (nanos) {
        nanos.recordValue(System.nanoTime() - begin);
      }
    }
  }
}
