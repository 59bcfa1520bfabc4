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
package org.orcagrid.ratis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.orcagrid.geo.log.LogKind;
import org.orcagrid.geo.log.contract.PartitionLogContract;

/** A group of Ratis as a partition's log. */
class RatisPartitionLogTest extends PartitionLogContract {
  private static final int SEGMENT_BYTES = 64 << 10;
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  @Override
  protected LogKind kind() {
    return new RatisKind(SEGMENT_BYTES);
  }

  @Override
  protected void assertNothingIsLeft() {
    long limit = System.nanoTime() + LIMIT.toNanos();
    while (!ofServers().isEmpty() && System.nanoTime() < limit) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
    assertEquals(List.of(), ofServers());
  }

  /** The threads of servers and their groups, which have the peer's name. */
  private static List<String> ofServers() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(each -> each.matches("(n[0-2][-@].*)|(orca-geo-.*-ratis)"))
        .sorted()
        .toList();
  }
}
