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
package org.orcagrid.ddp.replica.consistency;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.Write;

/**
 * What a client asks of a replica, and what came of it: one object from the caller to the replica
 * and back. The caller makes it, says who is told of its end, and submits it once; the replica
 * gives it a session and puts the result in. Of one thread after the other.
 */
public final class Operation {

  /** What it does. */
  public enum Kind {
    /** Reads a key; with release consistency whatever its node has. */
    READ,
    /** Writes a key, or removes it if the value is null. */
    WRITE,
    /** Reads a key with what was before the release that has written it. */
    ACQUIRE,
    /** Writes a key after all that its session has written and read before. */
    RELEASE,
    /** Writes or removes a key if it has the expected value, all at once. */
    COMPARE_AND_SET,
    /** Writes or removes a key and tells what was there, all at once. */
    GET_AND_SET,
    /** Reads all keys, each as a read of it would. */
    SCAN,
    /** Reads, compares and writes several keys in one step; causal consistency has it. */
    BATCH,
    /** Persists the session's scope and begins another one. */
    PERSIST,
    /** Begins a transaction. */
    BEGIN,
    /** Ends a transaction. */
    END,
    /** Gives a transaction up. */
    ABORT;

    /** Whether it reads a key and writes it, with nothing in between (a read-modify-write). */
    public boolean isReadModifyWrite() {
      return this == COMPARE_AND_SET || this == GET_AND_SET;
    }

    /** Whether it may write the one key that it is about. */
    public boolean mayWrite() {
      return this == WRITE || this == RELEASE || isReadModifyWrite();
    }

    /** Whether it is an acquire, a release or both. */
    public boolean synchronizes() {
      return this == ACQUIRE || this == RELEASE || isReadModifyWrite();
    }
  }

  /** How far it is. */
  public enum Status {
    /** It has not ended. */
    OPEN,
    /** It is done. */
    DONE,
    /** Its transaction was aborted, nothing of which is left. */
    ABORTED
  }

  /** The expectation of these bytes. */
  public static final class Same implements Predicate<byte[]> {
    private final byte[] value;

    /** Of no value if it is null. */
    public Same(byte[] value) {
      this.value = value;
    }

    /** The value, not a copy; null if there is to be none. */
    public byte[] value() {
      return value;
    }

    @Override
    public boolean test(byte[] present) {
      return Arrays.equals(present, value);
    }
  }

  private final Kind kind;
  private final Key key;
  private final byte[] value;
  private final Predicate<byte[]> expected;

  /** Null unless it reads several keys. */
  private final Scan scan;

  /** Null unless it is one. */
  private final Batch batch;

  /** Null before it has begun. */
  private ReplicaSession session;

  /** Null before it was submitted. */
  private Consumer<Operation> listener;

  private Status status = Status.OPEN;
  private RuntimeException failure;
  private Write read;
  private long clock;

  private Operation(Kind kind, Key key, byte[] value, Predicate<byte[]> expected) {
    this.kind = Objects.requireNonNull(kind);
    this.key = key;
    this.value = value;
    this.expected = expected;
    this.scan = null;
    this.batch = null;
  }

  private Operation(Kind kind, Scan scan, Batch batch) {
    this.kind = kind;
    this.key = null;
    this.value = null;
    this.expected = null;
    this.scan = scan;
    this.batch = batch;
  }

  /** A read. */
  public static Operation read(Key key) {
    return ofKey(Kind.READ, key, null);
  }

  /** A write; null removes the key. */
  public static Operation write(Key key, byte[] value) {
    return ofKey(Kind.WRITE, key, value);
  }

  /** An acquire; release consistency has them. */
  public static Operation acquire(Key key) {
    return ofKey(Kind.ACQUIRE, key, null);
  }

  /** A release; null removes the key; release consistency has them. */
  public static Operation release(Key key, byte[] value) {
    return ofKey(Kind.RELEASE, key, value);
  }

  /**
   * A write that takes place if the key has a value, all at once: {@link #hasWritten} says whether
   * it has, {@link #read} what was there. It makes a map's {@code putIfAbsent} (expects null), its
   * {@code replace} and its {@code remove} of a value (writes null).
   *
   * @param expected the bytes that the key is to have; null if it is to have none
   * @param value what to write; null removes the key
   */
  public static Operation compareAndSet(Key key, byte[] expected, byte[] value) {
    return compareAndSet(key, new Same(expected), value);
  }

  /**
   * The same with a condition.
   *
   * @param expected what the key's value is to be like; is given null where there is none, may be
   *     asked more than once and then has the same answer
   */
  public static Operation compareAndSet(Key key, Predicate<byte[]> expected, byte[] value) {
    return new Operation(
        Kind.COMPARE_AND_SET, Objects.requireNonNull(key), value, Objects.requireNonNull(expected));
  }

  /**
   * A write that tells what was there just before it: {@link #read}.
   *
   * @param value what to write; null removes the key
   */
  public static Operation getAndSet(Key key, byte[] value) {
    return ofKey(Kind.GET_AND_SET, key, value);
  }

  /**
   * A read of all keys that this node has at one moment: each with the version that a read of it
   * shows then. Where a read would wait this waits, too: for the version of that moment with
   * causal, eventual and transactional consistency, or else for that or a later one. So it has with
   * each version what happened before it, and of a transaction all or nothing.
   *
   * @param reader is given each version, removals too, by the replica's thread; what it was given
   *     counts when the operation is done
   */
  public static Operation scan(Consumer<Write> reader) {
    return new Operation(Kind.SCAN, new Scan(Objects.requireNonNull(reader)), null);
  }

  /**
   * A batch: reads several keys of a node at one moment, compares them with what is expected and
   * writes all or nothing. {@link #hasWritten} and {@link Batch#held} say what came of it. Where a
   * read would wait this waits, too.
   *
   * @param what is done; of this operation alone, as it takes the result
   * @param reader is given the versions of the keys before the writes, removals too, as that of
   *     {@link #scan}; a key without a version is left out
   */
  public static Operation batch(Batch what, Consumer<Write> reader) {
    Scan scan = new Scan(Objects.requireNonNull(reader));
    return new Operation(Kind.BATCH, scan, Objects.requireNonNull(what));
  }

  /** One that is about no key. */
  public static Operation of(Kind kind) {
    return new Operation(kind, null, null, null);
  }

  private static Operation ofKey(Kind kind, Key key, byte[] value) {
    return new Operation(kind, Objects.requireNonNull(key), value, null);
  }

  /** The same of a key once more, after it was aborted. */
  public Operation again() {
    return new Operation(kind, key, value, expected);
  }

  // --- for whoever submits it --------------------------------------------------------------------

  /**
   * Says who is told of its end; once.
   *
   * @throws IllegalStateException if it was submitted before
   */
  public void listener(Consumer<Operation> told) {
    if (listener != null) {
      throw new IllegalStateException(this + " was submitted before; make another one");
    }
    listener = Objects.requireNonNull(told);
  }

  /** It has ended: tells whoever waits. */
  public void tell() {
    listener.accept(this);
  }

  /** Nothing will be known of it, or it was refused: tells whoever waits. */
  public void fail(RuntimeException reason) {
    failure = reason;
    listener.accept(this);
  }

  /** It has ended at another node, with this result: tells whoever waits. */
  public void tell(Status ended, Write found, long written) {
    status = ended;
    read = found;
    clock = written;
    tell();
  }

  /** It was answered by the thread that has made it, before it was submitted. */
  public void answered(Write found) {
    read = found;
    status = Status.DONE;
  }

  /** A version that a read of several keys has found at another node. */
  public void show(Write version) {
    scan.show(version);
  }

  /** Why it has failed; null if it has not. */
  public RuntimeException failure() {
    return failure;
  }

  // --- what it is, and what came of it -----------------------------------------------------------

  /** The session that has begun it. */
  void session(ReplicaSession begins) {
    session = begins;
  }

  /** Whose it is; null before it has begun. */
  public ReplicaSession session() {
    return session;
  }

  /** What it does. */
  public Kind kind() {
    return kind;
  }

  /** The key, if it is about one. */
  public Key key() {
    return key;
  }

  Scan scan() {
    return scan;
  }

  /** What a batch does, and what came of it; null for all others. */
  public Batch batch() {
    return batch;
  }

  /** Whether it may write a key. */
  public boolean mayWrite() {
    return batch == null ? kind.mayWrite() : batch.mayWrite();
  }

  /** What it writes; null if it removes the key, or writes none. */
  public byte[] value() {
    return value;
  }

  /** What a compare-and-set expects; null for all others. */
  public Predicate<byte[]> expected() {
    return expected;
  }

  /** How far it is. */
  public Status status() {
    return status;
  }

  /** Whether it writes where this version is the present one, null being none. */
  boolean writesOn(Write present) {
    if (kind != Kind.COMPARE_AND_SET) {
      return kind.mayWrite();
    }
    return expected.test(present == null ? null : present.value());
  }

  /**
   * The version that was read; null if the key was never written. Of a read-modify-write that has
   * written, the one just before its own; otherwise the one that it has found instead.
   */
  public Write read() {
    return read;
  }

  /** The clock of the version that was written; 0 if none was. */
  public long clock() {
    return clock;
  }

  /** Whether it has written a version, if it is done. */
  public boolean hasWritten() {
    return clock != 0;
  }

  void clock(long written) {
    this.clock = written;
  }

  void found(Write present) {
    this.read = present;
  }

  /** What it has found and written so far counts no more. */
  void beginAgain() {
    read = null;
    clock = 0;
  }

  void done() {
    status = Status.DONE;
  }

  void done(Write found) {
    read = found;
    status = Status.DONE;
  }

  void aborted() {
    status = Status.ABORTED;
  }

  @Override
  public String toString() {
    return kind + (key == null ? "" : " " + key) + " of " + session + ": " + status;
  }
}
