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
package org.orcagrid.ddp.kite;

import java.util.function.Consumer;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.store.Bytes;
import org.orcagrid.ddp.wire.Message;
import org.orcagrid.ddp.wire.MessageType;

/**
 * The writes of a worker that some node has not acknowledged, in a ring by their sequence numbers.
 * Each is kept until all nodes have acknowledged it, or a majority has and the others are known to
 * be delinquent (section 4.2).
 *
 * <p>What is sent again is the key's present version, which stands for all before it, so that the
 * ring holds no values.
 */
final class PendingWrites {
  private static final int RESENT_AT_ONCE_MAX = 64;
  private static final int RESENT_TIMES_MAX = 10;

  /** What becomes of a write besides being acknowledged by all. */
  enum Kind {
    RELAXED,
    RELEASE,
    COMMIT
  }

  private final WorkerContext context;
  private final int mask;
  private final long[] records;
  private final int[] acked;
  private final int[] full;
  private final KiteSession[] owners;
  private final Kind[] kinds;
  private final long[] begunNanos;
  private final long[] sentNanos;
  private final boolean[] covered;

  /** Whether too few nodes have room for a write. */
  private final boolean[] isBlocked;

  private final Bytes key = new Bytes(64);
  private final Bytes value = new Bytes(64);

  /** Sessions at the barrier whose last write has become safe. */
  private final KiteSession[] ready;

  private int readyCount;
  private int reserved;
  private long tail;
  private long head;
  private int live;

  /** Writes for which some node has no room, and those for which too few have. */
  private int refused;

  private int blocked;
  private long lookedNanos = WorkerContext.LONG_AGO;

  PendingWrites(WorkerContext context) {
    int capacity = context.settings.pendingWrites();
    this.context = context;
    this.head = context.firstNumber();
    this.tail = head;
    this.mask = capacity - 1;
    this.records = new long[capacity];
    this.acked = new int[capacity];
    this.full = new int[capacity];
    this.owners = new KiteSession[capacity];
    this.kinds = new Kind[capacity];
    this.begunNanos = new long[capacity];
    this.sentNanos = new long[capacity];
    this.covered = new boolean[capacity];
    this.isBlocked = new boolean[capacity];
    this.ready = new KiteSession[context.settings.sessions()];
  }

  /** Whether there is room for a relaxed write, with one place kept for each session's release. */
  boolean hasRoom() {
    return head - tail + reserved < records.length - context.settings.sessions();
  }

  /** Keeps a place for a write that will be added later. */
  void reserve() {
    reserved++;
  }

  /** Gives back a place that was kept, to be used at once or not at all. */
  void unreserve() {
    reserved--;
  }

  /** Whether there is no room at all. */
  boolean isFull() {
    return head - tail + reserved >= records.length;
  }

  /** Whether it is time to give up on those who do not acknowledge. */
  boolean isCrowded() {
    return head - tail > records.length / 2 || !hasRoom();
  }

  /** Whether some node has been silent for so long that nothing is gained by waiting on. */
  boolean isOld() {
    return tail < head
        && context.now() - begunNanos[(int) tail & mask]
            >= RESENT_TIMES_MAX * context.settings.times().resendNanos();
  }

  int live() {
    return live;
  }

  /** A write that was applied here and is sent to the others; returns its sequence number. */
  long add(KiteSession owner, Kind kind) {
    Invariant.check(
        head - tail < records.length, "there is a place for the write", "head", head, "tail", tail);
    long sequence = head++;
    int at = (int) sequence & mask;
    records[at] = owner.record;
    acked[at] = context.selfMask;
    full[at] = 0;
    isBlocked[at] = false;
    owners[at] = owner;
    kinds[at] = kind;
    begunNanos[at] = context.now();
    sentNanos[at] = context.now();
    covered[at] = false;
    owner.pendingWrites++;
    live++;
    return sequence;
  }

  private boolean isLive(long sequence) {
    return sequence >= tail && sequence < head && owners[(int) sequence & mask] != null;
  }

  /**
   * A node has a write.
   *
   * @return the owner if this is a release and a majority has it now
   */
  KiteSession onAck(long sequence, int nodes) {
    if (!isLive(sequence)) {
      return null;
    }
    int at = (int) sequence & mask;
    boolean before = context.isMajority(acked[at]);
    acked[at] |= nodes;
    setFull(at, full[at] & ~nodes);
    KiteSession owner = owners[at];
    boolean released =
        kinds[at] == Kind.RELEASE
            // One that others were shown long ago may have to be acknowledged anew.
            && owner.releaseSequence == sequence
            && (!before || context.isMajority(context.selfMask))
            && context.isMajority(acked[at]);
    if ((context.all() & ~acked[at]) == 0) {
      free(at);
    }
    return released ? owner : null;
  }

  /**
   * Nodes have no room for a write. They do not have it, so a release tells that they are
   * delinquent; but it does not wait for them.
   *
   * @return the owner if too few nodes have room, and the write may never be safe
   */
  KiteSession onFull(long sequence, int nodes) {
    if (!isLive(sequence)) {
      return null;
    }
    int at = (int) sequence & mask;
    setFull(at, (full[at] | nodes) & ~acked[at]);
    return context.isBlockedBy(full[at]) ? owners[at] : null;
  }

  private void setFull(int at, int nodes) {
    if (nodes != full[at]) {
      refused += (nodes == 0 ? 0 : 1) - (full[at] == 0 ? 0 : 1);
      full[at] = nodes;
      noteBlocked(at);
    }
  }

  private void noteBlocked(int at) {
    boolean now = context.isBlockedBy(full[at]);
    int change = (now ? 1 : 0) - (isBlocked[at] ? 1 : 0);
    isBlocked[at] = now;
    blocked += change;
    owners[at].blockedWrites += change;
  }

  /**
   * Gives the oldest writes new sequence numbers while too few nodes have room for them. They may
   * stay for ever, and the ring would have no place left between them and the next write.
   */
  void renewBlocked() {
    if (blocked == 0 || head - tail <= records.length / 2) {
      return;
    }
    while (head - tail > live && isBlocked[(int) tail & mask]) {
      renew(tail);
    }
  }

  private void renew(long sequence) {
    int from = (int) sequence & mask;
    int to = (int) head & mask;
    KiteSession owner = owners[from];
    if (kinds[from] == Kind.RELEASE && owner.releaseSequence == sequence) {
      owner.releaseSequence = head;
    } else if (kinds[from] == Kind.COMMIT && owner.commitSequence == sequence) {
      owner.commitSequence = head;
    }
    owners[from] = null;
    owners[to] = owner;
    records[to] = records[from];
    acked[to] = acked[from];
    full[to] = full[from];
    isBlocked[to] = isBlocked[from];
    kinds[to] = kinds[from];
    begunNanos[to] = begunNanos[from];
    sentNanos[to] = sentNanos[from];
    covered[to] = covered[from];
    head++;
    skipFree();
  }

  private void skipFree() {
    while (tail < head && owners[(int) tail & mask] == null) {
      tail++;
    }
  }

  /** Whether some node has no room for a write. */
  boolean isRefused() {
    return refused > 0;
  }

  /** Whether there is a write for which too few nodes have room. */
  boolean isBlocked() {
    return blocked > 0;
  }

  /** What these nodes have acknowledged does not count any more. */
  void forget(int nodes) {
    for (long sequence = tail; sequence < head; sequence++) {
      int at = (int) sequence & mask;
      covered[at] = false;
      if (owners[at] != null) {
        acked[at] &= ~nodes;
        setFull(at, full[at] & ~nodes);
      }
    }
  }

  /**
   * Other nodes have to acknowledge than before: what has enough acknowledgements now is not
   * pending any more.
   *
   * @param released is told of the owners of releases that a majority has
   */
  void lookAgain(Consumer<KiteSession> released) {
    for (long sequence = tail; sequence < head; sequence++) {
      int at = (int) sequence & mask;
      KiteSession owner = owners[at];
      if (owner == null) {
        continue;
      }
      noteBlocked(at);
      boolean isReleased =
          kinds[at] == Kind.RELEASE
              && owner.releaseSequence == sequence
              && context.isMajority(acked[at]);
      if ((context.all() & ~acked[at]) == 0) {
        free(at);
      }
      if (isReleased) {
        released.accept(owner);
      }
    }
  }

  /** Takes out a session that may pass the barrier now; null if there is none. */
  KiteSession pollReady() {
    return readyCount == 0 ? null : ready[--readyCount];
  }

  private void free(int at) {
    KiteSession owner = owners[at];
    setFull(at, 0);
    owner.pendingWrites--;
    if (owner.pendingWrites == 0 && owner.isAtBarrier()) {
      ready[readyCount++] = owner;
    }
    owners[at] = null;
    live--;
    skipFree();
  }

  /**
   * Chooses what a slow-release is to cover: writes that a majority has, and that others have not
   * acknowledged in time or are not expected to.
   *
   * @param suspected nodes that are not waited for
   * @param keys takes the keys of these writes
   * @return the nodes that miss one of them: the DM-set
   */
  int cover(int suspected, MissedKeys keys) {
    int missing = 0;
    long latest = context.now() - context.settings.times().releaseNanos();
    for (long sequence = tail; sequence < head; sequence++) {
      int at = (int) sequence & mask;
      if (owners[at] != null && mayBeCovered(at)) {
        int without = context.all() & ~acked[at];
        if (begunNanos[at] <= latest || (without & ~(suspected | full[at])) == 0) {
          covered[at] = true;
          missing |= without;
          if (context.keeps(KiteRule.NAME_MISSED_KEYS)) {
            keys.add(context.store.hash(records[at]));
          }
        }
      }
    }
    return missing;
  }

  private boolean mayBeCovered(int at) {
    return context.isMajority(acked[at]) || !context.keeps(KiteRule.WRITES_BEFORE_DM_SET);
  }

  /** A majority knows the DM-set of {@link #cover}: what it covers is not pending any more. */
  void freeCovered() {
    for (long sequence = tail; sequence < head; sequence++) {
      int at = (int) sequence & mask;
      if (owners[at] != null && covered[at]) {
        free(at);
      }
    }
  }

  /** Whether a write to this record is not at all nodes yet. */
  boolean has(long record) {
    for (long sequence = tail; sequence < head; sequence++) {
      int at = (int) sequence & mask;
      if (owners[at] != null && records[at] == record) {
        return true;
      }
    }
    return false;
  }

  /** Sends again what was not acknowledged for long. */
  void resend(int unlikely) {
    long resend = context.settings.times().resendNanos();
    if (live == 0 || context.now() - lookedNanos < resend / 4) {
      return;
    }
    lookedNanos = context.now();
    int sent = 0;
    for (long sequence = tail; sequence < head && sent < RESENT_AT_ONCE_MAX; sequence++) {
      int at = (int) sequence & mask;
      if (owners[at] != null && context.now() - sentNanos[at] >= resend) {
        sentNanos[at] = context.now();
        int missing = context.all() & ~acked[at];
        // Those who answer nothing are tried with a few only, to see when they are back.
        send(sequence, sent < 2 ? missing : missing & ~unlikely);
        sent++;
      }
    }
  }

  private void send(long sequence, int nodes) {
    long record = records[(int) sequence & mask];
    Invariant.check(
        context.store.isInUse(record), "a key is not removed while a write to it is pending");
    context.store.read(record, value, context.local);
    int keyLength = context.store.keyLength(record);
    key.length(keyLength);
    context.store.copyKey(record, key.room(keyLength), 0);
    for (int left = nodes; left != 0; left &= left - 1) {
      send(
          Integer.numberOfTrailingZeros(left),
          sequence,
          key,
          value,
          context.local.clock,
          context.local.rmw);
    }
  }

  /** Sends the present version of what was written to all other nodes. */
  void sendToOthers(long sequence) {
    send(sequence, context.others());
  }

  /** Sends a write to all other nodes for the first time. */
  void broadcast(long sequence, Bytes writtenKey, Bytes written, long clock, long rmw) {
    for (int left = context.others(); left != 0; left &= left - 1) {
      int peer = Integer.numberOfTrailingZeros(left);
      send(peer, sequence, writtenKey, written, clock, rmw);
    }
  }

  private void send(
      int peer, long sequence, Bytes writtenKey, Bytes written, long clock, long rmw) {
    Message write = context.message(peer, MessageType.WRITE, writtenKey.length(), written.length());
    if (write != null) {
      write.id(sequence).clock(clock).rmw(rmw);
      WorkerContext.fill(write, writtenKey, written);
    }
  }
}
