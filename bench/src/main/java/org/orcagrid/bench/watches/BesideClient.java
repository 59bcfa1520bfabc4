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
package org.orcagrid.bench.watches;

import java.io.IOException;
import org.HdrHistogram.Histogram;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.orcagrid.bench.stats.LatencySummary;

/** A client beside the storm: one request after the other, and how long each took. */
final class BesideClient extends Thread {
  private static final long LONGEST_NANOS = 600_000_000_000L;
  private static final int DIGITS = 3;
  private static final byte[] DATA = new byte[100];

  private final ZooKeeper client;
  private final String path;
  private final boolean writes;
  private Histogram current = newHistogram();
  private Histogram before = newHistogram();
  private int turn;
  private int askedIn;
  private boolean asking;
  private int connectionsLost;
  private KeeperException failure;
  private boolean stopped;

  BesideClient(ZooKeeper client, String path, boolean writes) {
    super((writes ? "writes " : "reads ") + path);
    this.client = client;
    this.path = path;
    this.writes = writes;
  }

  static Histogram newHistogram() {
    return new Histogram(LONGEST_NANOS, DIGITS);
  }

  @Override
  public void run() {
    try {
      while (!isStopped()) {
        ask();
        long begin = System.nanoTime();
        try {
          ask(client);
        } catch (KeeperException.ConnectionLossException e) {
          // A finding, and as slow as it was: a server that cannot vouch for a read closes it.
          lost();
        }
        answered(System.nanoTime() - begin);
      }
    } catch (KeeperException e) {
      fail(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void ask(ZooKeeper client) throws KeeperException, InterruptedException {
    if (writes) {
      client.setData(path, DATA, -1);
    } else {
      client.getData(path, false, null);
    }
  }

  private synchronized void lost() {
    connectionsLost++;
  }

  /** How many requests have lost their connection. */
  synchronized int connectionsLost() {
    return connectionsLost;
  }

  boolean writes() {
    return writes;
  }

  /** What is asked from now on is counted apart. */
  synchronized void turn() {
    before = current;
    current = newHistogram();
    turn++;
  }

  /** What was asked before the last {@link #turn}; waits for the request that was under way. */
  synchronized Histogram before() throws InterruptedException {
    while (asking && askedIn < turn) {
      wait();
    }
    return before;
  }

  private synchronized void ask() {
    asking = true;
    askedIn = turn;
  }

  /** Into the histogram of when it was asked: a request that the storm delays is the storm's. */
  private synchronized void answered(long nanos) {
    asking = false;
    (askedIn < turn ? before : current).recordValue(Math.min(nanos, LONGEST_NANOS));
    notifyAll();
  }

  private synchronized void fail(KeeperException e) {
    failure = e;
    asking = false;
    notifyAll();
  }

  private synchronized boolean isStopped() {
    return stopped;
  }

  /** Ends; fails if a request has failed. */
  void end() throws IOException, InterruptedException {
    synchronized (this) {
      stopped = true;
    }
    join();
    client.close();
    synchronized (this) {
      if (failure != null) {
        throw new IOException("A client beside the storm failed: " + failure, failure);
      }
    }
  }

  /** Of several clients together. */
  static LatencySummary summary(Iterable<Histogram> histograms) {
    Histogram all = newHistogram();
    histograms.forEach(all::add);
    return LatencySummary.of(all);
  }
}
