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
package org.orcagrid.client;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.node.Request;
import org.orcagrid.ddp.node.RequestListener;
import org.orcagrid.ddp.store.Bytes;

/**
 * The end of an asynchronous operation. To be read while {@link AnswerListener#onAnswer} runs; used
 * again after that, so that nothing is allocated.
 *
 * @param <V> the type of values
 */
public final class Answer<V> implements RequestListener {
  private static final VarHandle DUE;

  static {
    try {
      DUE = MethodHandles.lookup().findVarHandle(Answer.class, "due", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final SessionAnswers session;
  private final Input input = new Input();

  // The session's thread writes these before the deadline. Others read them once they have taken
  // it.
  private Codec<V> codec;
  private AnswerListener<V> listener;
  private Request request;
  private long turn;
  private Executor executor;
  private Duration timeout;

  /**
   * The deadline's tick; 0 once a thread has taken the right to tell the listener. No later
   * operation has a tick that has passed.
   */
  @SuppressWarnings("UnusedVariable")
  private volatile long due;

  // The thread that tells the listener writes these.
  private Outcome outcome;
  private Bytes result;
  private Duration passed;

  Answer(SessionAnswers session) {
    this.session = session;
  }

  /** The session's thread is about to begin an operation; none is under way here. */
  void begin(Request asked, Codec<V> type, AnswerListener<V> told) {
    request = asked;
    turn = asked.turn();
    codec = type;
    listener = told;
  }

  /** Sets the deadline; when it passes, the executor tells the listener. */
  void deadline(long tick, Duration time, Executor where) {
    executor = where;
    timeout = time;
    due = tick;
  }

  /** The operation could not be begun. Returns whether nobody has told the listener, or will. */
  boolean withdraw() {
    return take();
  }

  private boolean take() {
    return (long) DUE.getAndSet(this, 0L) != 0;
  }

  @Override
  public void onCompleted(Request completed) {
    if (take()) {
      outcome = completed.outcome();
      result = completed.result();
      tell(listener);
    } else {
      session.late();
    }
    session.ended();
  }

  /** What a request that was waited for has ended with; stands while that does. */
  Answer<V> of(Request ended, Codec<V> type) {
    codec = type;
    outcome = ended.outcome();
    result = ended.result();
    return this;
  }

  /** What was read at once; stands while those bytes do. */
  Answer<V> of(Bytes read, Codec<V> type) {
    codec = type;
    outcome = Outcome.DONE;
    result = read;
    return this;
  }

  /**
   * Ends the operation for its listener if the deadline has passed at this tick. Returns whether
   * the operation is still under way.
   */
  boolean expire(long tick) {
    long until = due;
    if (until == 0 || until > tick) {
      return until != 0;
    }
    // These may be a later operation's by now. Then the deadline has changed, and is not taken.
    AnswerListener<V> told = listener;
    Executor where = executor;
    Request asked = request;
    long use = turn;
    Answer<V> overdue = new Answer<>(session);
    overdue.codec = codec;
    overdue.passed = timeout;
    if (!DUE.compareAndSet(this, until, 0L)) {
      return true;
    }
    session.passed();
    overdue.outcome = session.withdraw(asked, use) ? Outcome.NOT_BEGUN : Outcome.UNKNOWN;
    Callbacks.run(where, () -> overdue.tell(told));
    return false;
  }

  /** Tells a listener; its failure is its thread's. */
  void tell(AnswerListener<V> told) {
    try {
      told.onAnswer(this);
    } catch (RuntimeException | Error e) {
      // The caller's code has failed: the session's worker goes on.
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    }
  }

  /** A copy for another thread: this answer is used again when its listener returns. */
  Answer<V> copy() {
    Answer<V> copy = new Answer<>(session);
    copy.codec = codec;
    copy.outcome = outcome;
    copy.passed = passed;
    if (isPresent()) {
      copy.result = Bytes.copyOf(result);
    }
    return copy;
  }

  /** Whether it took effect; false if a compare-and-set found another value, or it has failed. */
  public boolean isDone() {
    return outcome == Outcome.DONE;
  }

  /** What has gone wrong; null if nothing has. */
  public GridException failure() {
    if (passed == null) {
      return failure(outcome);
    }
    return outcome == Outcome.NOT_BEGUN
        ? new NotDoneException("It was not sent in " + passed)
        : new OutcomeUnknownException("There was no answer in " + passed);
  }

  static GridException failure(Outcome outcome) {
    return switch (outcome) {
      case DONE, NOT_EQUAL -> null;
      case STORE_FULL -> new StoreFullException();
      case NOT_A_NUMBER -> new NotANumberException();
      case NOT_BEGUN -> new NotDoneException("Its connection was lost before it was sent");
      case UNKNOWN -> new OutcomeUnknownException("The node was closed, or has failed");
    };
  }

  /** Whether a value was read. */
  public boolean isPresent() {
    return result != null && result.length() >= 0;
  }

  /**
   * What was read, as a long of 8 bytes. Allocates nothing.
   *
   * @param absent what to return if there was no value
   * @throws NotANumberException if the value does not have 8 bytes
   */
  public long longValue(long absent) {
    if (!isPresent()) {
      return absent;
    }
    if (result.length() != Long.BYTES) {
      throw new NotANumberException();
    }
    return input.begin(result).getLong();
  }

  /** What was read; null if there was no value. */
  public V value() {
    return isPresent() ? codec.read(input.begin(result)) : null;
  }
}
