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
package org.orcagrid.bench.nukv;

import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.orcagrid.client.Codec;
import org.orcagrid.geo.client.GeoException;
import org.orcagrid.geo.client.GeoSession;
import org.orcagrid.geo.client.GeoView;
import org.orcagrid.geo.client.RemoteGeo;

/** A client's thread: one operation after the other, in a session of its own. */
final class NukvClient extends Thread {
  private static final int KEYS = 1_000;
  private static final int VALUE_BYTES = 64;

  private static final double MILLION = 1e6;

  private final RemoteGeo geo;
  private final String home;
  private final NukvCase line;
  private final NukvPlan.Point point;
  private final SplittableRandom random;
  private final Histogram nanos = new Histogram(3);
  private long failed;
  private volatile boolean measures;
  private volatile boolean over;

  NukvClient(RemoteGeo geo, String home, NukvCase line, NukvPlan.Point point, int number) {
    super("nukv-client-" + number);
    this.geo = geo;
    this.home = home;
    this.line = line;
    this.point = point;
    this.random = new SplittableRandom(number);
  }

  /** Runs all of them, and returns what they have measured together. */
  static NukvResult.Rate run(List<NukvClient> clients, NukvPlan plan, int datacenters)
      throws InterruptedException {
    clients.forEach(Thread::start);
    TimeUnit.MILLISECONDS.sleep((long) (plan.warmUpSeconds() * 1_000));
    long begin = System.nanoTime();
    clients.forEach(each -> each.measures = true);
    TimeUnit.MILLISECONDS.sleep((long) (plan.seconds() * 1_000));
    clients.forEach(each -> each.measures = false);
    double seconds = (System.nanoTime() - begin) / 1e9;
    clients.forEach(each -> each.over = true);
    Histogram all = new Histogram(3);
    long failed = 0;
    for (NukvClient each : clients) {
      each.join();
      all.add(each.nanos);
      failed += each.failed;
    }
    return new NukvResult.Rate(
        all.getMean() / MILLION,
        all.getValueAtPercentile(99) / MILLION,
        all.getTotalCount() / seconds / datacenters,
        failed);
  }

  @Override
  public void run() {
    try (GeoSession session = geo.openSession()) {
      GeoView<String, byte[]> here = session.view("nkv", Codec.STRING, Codec.BYTES);
      GeoView<String, byte[]> there = here.at(other());
      while (!over) {
        GeoView<String, byte[]> at = random.nextInt(100) < point.localPercent() ? here : there;
        long begin = System.nanoTime();
        boolean done = operate(at);
        if (measures) {
          nanos.recordValue(System.nanoTime() - begin);
          failed += done ? 0 : 1;
        }
      }
    }
  }

  private String other() {
    return geo.datacenters().stream().filter(each -> !each.equals(home)).findFirst().orElse(home);
  }

  private boolean operate(GeoView<String, byte[]> at) {
    // With the view's name a key has 16 bytes.
    String key = String.format(Locale.ROOT, "key-%08d", random.nextInt(KEYS));
    try {
      if (random.nextInt(100) < point.writePercent()) {
        at.put(key, new byte[VALUE_BYTES], line.writes());
      } else {
        at.get(key, line.reads());
      }
      return true;
    } catch (GeoException e) {
      // It is counted, and the page says how often.
      return false;
    }
  }
}
