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
package org.orcagrid.grid;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.orcagrid.cli.GridProcesses;
import org.orcagrid.transport.tcp.CuttableRelay;
import org.orcagrid.transport.tcp.HostPort;

/**
 * A grid whose nodes go on, while the connections of clients to one or all of them are cut, and
 * refused for a while: by turns for less than a session waits for its node, and for more.
 */
final class CutConnections implements FaultyGrid, AutoCloseable {
  /** A session waits for its node for four seconds. */
  private static final long SHORT_NANOS_MAX = TimeUnit.SECONDS.toNanos(2);

  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final List<CuttableRelay> relays = new ArrayList<>();
  private int strikes;

  /** A grid that runs, and is to go on after this. */
  CutConnections(GridProcesses grid) throws IOException {
    for (HostPort node : HostPort.parseAll(grid.clients())) {
      relays.add(new CuttableRelay(node));
    }
  }

  @Override
  public String clients() {
    return relays.stream().map(each -> each.address().toString()).collect(Collectors.joining(","));
  }

  @Override
  public void strike(SplittableRandom random) {
    int from = random.nextBoolean() ? 0 : random.nextInt(relays.size());
    List<CuttableRelay> cut = from == 0 ? relays : relays.subList(from, from + 1);
    cut.forEach(each -> each.hold(true));
    cut.forEach(CuttableRelay::cut);
    boolean isLong = strikes++ % 2 == 1;
    LockSupport.parkNanos(isLong ? LONG_NANOS : random.nextLong(SHORT_NANOS_MAX));
    cut.forEach(each -> each.hold(false));
  }

  @Override
  public void close() throws IOException {
    for (CuttableRelay each : relays) {
      each.close();
    }
  }
}
