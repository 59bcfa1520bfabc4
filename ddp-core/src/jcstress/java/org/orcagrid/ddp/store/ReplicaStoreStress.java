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

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;
import org.openjdk.jcstress.infra.results.J_Result;

/**
 * The sequence locks of {@link ReplicaStore}: what one thread may read while others write. A result
 * is a clock, or -1 for a value that nobody has written so.
 */
public final class ReplicaStoreStress {
  private static final int INLINE = 4;
  private static final int GROWN = 8;
  private static final int GROWN_AGAIN = 25;

  // An actor of a test runs in one thread at a time.
  private static final Bytes WRITTEN = new Bytes(4096);
  private static final Bytes WRITTEN_BY_OTHER = new Bytes(4096);
  private static final Bytes READ = new Bytes(4096);
  private static final Reading READING = new Reading();

  // Arbiters of different trials run at once.
  private static final ThreadLocal<Bytes> READ_AT_END =
      ThreadLocal.withInitial(() -> new Bytes(4096));

  private ReplicaStoreStress() {}

  /** A value is replaced by one that fits where it is. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "before the write")
  @Outcome(id = "2", expect = ACCEPTABLE, desc = "after it")
  @Outcome(expect = FORBIDDEN, desc = "torn")
  @State
  public static class ReplacedInPlace {
    private final StressedRecord record = new StressedRecord(INLINE);

    @Actor
    public void writer() {
      record.write(WRITTEN, 2, INLINE);
    }

    @Actor
    public void reader(J_Result result) {
      result.r1 = record.read(READ, READING, INLINE, INLINE);
    }
  }

  /** A value is replaced by a shorter one. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "before the write")
  @Outcome(id = "2", expect = ACCEPTABLE, desc = "after it")
  @Outcome(expect = FORBIDDEN, desc = "torn")
  @State
  public static class Shrinking {
    private final StressedRecord record = new StressedRecord(GROWN_AGAIN);

    @Actor
    public void writer() {
      record.write(WRITTEN, 2, 1);
    }

    @Actor
    public void reader(J_Result result) {
      result.r1 = record.read(READ, READING, GROWN_AGAIN, 1);
    }
  }

  /** A value is replaced by one that needs another block. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "before the write")
  @Outcome(id = "2", expect = ACCEPTABLE, desc = "after it")
  @Outcome(expect = FORBIDDEN, desc = "torn, or of another block")
  @State
  public static class Growing {
    private final StressedRecord record = new StressedRecord(INLINE);

    @Actor
    public void writer() {
      record.write(WRITTEN, 2, GROWN);
    }

    @Actor
    public void reader(J_Result result) {
      result.r1 = record.read(READ, READING, INLINE, GROWN);
    }
  }

  /** The block that a value has left is taken by another key at once. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "before the write")
  @Outcome(id = "2", expect = ACCEPTABLE, desc = "after it")
  @Outcome(expect = FORBIDDEN, desc = "torn, or of another key")
  @State
  public static class BlockUsedAgain {
    private final StressedRecord[] records = StressedRecord.two(GROWN, INLINE);

    @Actor
    public void writer() {
      records[0].write(WRITTEN, 2, GROWN_AGAIN);
      records[1].write(WRITTEN, 77, GROWN);
    }

    @Actor
    public void reader(J_Result result) {
      result.r1 = records[0].read(READ, READING, GROWN, GROWN_AGAIN);
    }
  }

  /** A record is removed and becomes another key's; the reader has found it before. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "before the removal")
  @Outcome(id = "0", expect = ACCEPTABLE, desc = "not that key's any more")
  @Outcome(expect = FORBIDDEN, desc = "torn, or of another key")
  @State
  public static class RecordUsedAgain {
    private static final Bytes OTHER_KEY = new Bytes(Long.BYTES);
    private static final Bytes SOUGHT = new Bytes(Long.BYTES);

    private final StressedRecord record = new StressedRecord(INLINE);
    private final long name = record.name();

    @Actor
    public void writer() {
      OTHER_KEY.buffer().putLong(0, name | 1L << 62);
      record.remove();
      record.another(OTHER_KEY).write(WRITTEN, 77, INLINE);
    }

    @Actor
    public void reader(J_Result result) {
      SOUGHT.buffer().putLong(0, name);
      result.r1 = record.readOf(SOUGHT, READ, READING, INLINE);
    }
  }

  /** Two reads, one after the other. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "before the write")
  @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "one before, one after it")
  @Outcome(id = "2, 2", expect = ACCEPTABLE, desc = "after it")
  @Outcome(expect = FORBIDDEN, desc = "went back, or torn")
  @State
  public static class NeverBack {
    private final StressedRecord record = new StressedRecord(INLINE);

    @Actor
    public void writer() {
      record.write(WRITTEN, 2, GROWN);
    }

    @Actor
    public void reader(JJ_Result result) {
      result.r1 = record.read(READ, READING, INLINE, GROWN);
      result.r2 = record.read(READ, READING, INLINE, GROWN);
    }
  }

  /** Two writers of one key. */
  @JCStressTest
  @Outcome(id = "3", expect = ACCEPTABLE, desc = "both writes are there in the end")
  @Outcome(expect = FORBIDDEN, desc = "torn, or a lost update")
  @State
  public static class TwoWriters {
    private final StressedRecord record = new StressedRecord(INLINE);

    @Actor
    public void writer() {
      record.writeNext(WRITTEN, GROWN);
    }

    @Actor
    public void other() {
      record.writeNext(WRITTEN_BY_OTHER, GROWN);
    }

    @Arbiter
    public void end(J_Result result) {
      result.r1 = record.read(READ_AT_END.get(), new Reading(), INLINE, GROWN);
    }
  }

  /** A key that several threads come to at once. */
  abstract static class NewKey {
    private final StressedRecord neighbour = new StressedRecord(INLINE);
    private final long name = neighbour.record | 1L << 62;

    final long make(Bytes with) {
      name(with);
      return neighbour.store.findOrCreate(with.buffer(), 0, Long.BYTES, hash(with));
    }

    final long find(Bytes with) {
      name(with);
      return neighbour.store.find(with.buffer(), 0, Long.BYTES, hash(with));
    }

    private void name(Bytes key) {
      key.buffer().putLong(0, name);
    }

    private static long hash(Bytes key) {
      return KeyHash.hash(key.buffer(), 0, Long.BYTES);
    }
  }

  /** Two make the record of one key. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "one record")
  @Outcome(expect = FORBIDDEN, desc = "two records")
  @State
  public static class MadeTwice extends NewKey {
    private long made;
    private long madeByOther;

    @Actor
    public void maker() {
      made = make(WRITTEN);
    }

    @Actor
    public void other() {
      madeByOther = make(WRITTEN_BY_OTHER);
    }

    @Arbiter
    public void end(JJ_Result result) {
      result.r1 = made == find(READ_AT_END.get()) ? 1 : -1;
      result.r2 = madeByOther == find(READ_AT_END.get()) ? 1 : -1;
    }
  }

  /** One makes the record of a key and another looks for it. */
  @JCStressTest
  @Outcome(id = "0", expect = ACCEPTABLE, desc = "not found yet")
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "found")
  @Outcome(expect = FORBIDDEN, desc = "half of a record")
  @State
  public static class FoundWhileMade extends NewKey {
    private long made;
    private long found;

    @Actor
    public void maker() {
      made = make(WRITTEN);
    }

    @Actor
    public void seeker() {
      found = find(READ);
    }

    @Arbiter
    public void end(J_Result result) {
      result.r1 = found == ReplicaStore.NONE ? 0 : found == made ? 1 : -1;
    }
  }
}
