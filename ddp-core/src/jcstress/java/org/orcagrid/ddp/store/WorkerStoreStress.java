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
package org.orcagrid.ddp.store;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/**
 * {@link WorkerStore#look} and what follows it, beside the store's one writer. A result is a clock,
 * 0 for nothing that may be shown, or -1 for a value that nobody has written so.
 */
public final class WorkerStoreStress {
  private static final int VALID = 0;

  private WorkerStoreStress() {}

  /** A store with a key that has version 1. */
  abstract static class OneKey {
    final WorkerStore store = new WorkerStore(1, new DirectMemory(() -> {}));
    final byte[] key = ByteBuffer.allocate(Long.BYTES).putLong(0, 1).array();
    final byte[] other = ByteBuffer.allocate(Long.BYTES).putLong(0, 2).array();
    final long record = store.create(key, KeyHash.hash(key), 40);

    OneKey() {
      store.set(record, 1, 0, value(1, 40));
    }

    static byte[] value(int clock, int bytes) {
      byte[] value = new byte[bytes];
      Arrays.fill(value, (byte) clock);
      return value;
    }

    Sight look() {
      Sight found = new Sight();
      store.look(key, KeyHash.hash(key), found);
      return found;
    }

    static long clock(Sight found) {
      byte[] value = found.value();
      if (value == null) {
        return 0;
      }
      for (byte each : value) {
        if (each != found.clock()) {
          return -1;
        }
      }
      return found.clock();
    }
  }

  /** A longer value takes the place of one, in a block of its own. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "before the write")
  @Outcome(id = "2", expect = ACCEPTABLE, desc = "after it")
  @Outcome(expect = FORBIDDEN, desc = "torn")
  @State
  public static class Growing extends OneKey {
    @Actor
    public void writer() {
      store.set(record, 2, 0, value(2, 600));
    }

    @Actor
    public void reader(J_Result result) {
      result.r1 = clock(look());
    }
  }

  /** The record is another key's. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "before the removal")
  @Outcome(id = "0", expect = ACCEPTABLE, desc = "there is none")
  @Outcome(expect = FORBIDDEN, desc = "torn, or of another key")
  @State
  public static class RecordUsedAgain extends OneKey {
    @Actor
    public void writer() {
      store.remove(record);
      long made = store.create(other, KeyHash.hash(other), 40);
      store.set(made, 7, 0, value(7, 40));
    }

    @Actor
    public void reader(J_Result result) {
      result.r1 = clock(look());
    }
  }

  /** Version 1 is never valid, version 2 is: what is known of it is not known of version 1. */
  @JCStressTest
  @Outcome(id = "0", expect = ACCEPTABLE, desc = "not valid, or not the present one any more")
  @Outcome(id = "2", expect = ACCEPTABLE, desc = "after it is valid")
  @Outcome(expect = FORBIDDEN, desc = "never valid, or torn")
  @State
  public static class ValidOfAnother extends OneKey {
    @Actor
    public void writer() {
      store.set(record, 2, 0, value(2, 40));
      store.word(record, VALID, 2);
    }

    @Actor
    public void reader(J_Result result) {
      Sight found = look();
      boolean known = found.clock() <= store.wordNow(found, VALID);
      result.r1 = known && store.isStill(found) ? clock(found) : 0;
    }
  }

  /** The index is another one while a key is looked for. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "it is found")
  @Outcome(expect = FORBIDDEN, desc = "it is not, or torn")
  @State
  public static class IndexGrows extends OneKey {
    @Actor
    public void writer() {
      for (int each = 0; each < 40; each++) {
        byte[] another = ByteBuffer.allocate(Long.BYTES).putLong(0, 100 + each).array();
        store.create(another, KeyHash.hash(another), 8);
      }
    }

    @Actor
    public void reader(J_Result result) {
      result.r1 = clock(look());
    }
  }
}
