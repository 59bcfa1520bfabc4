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

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.node.NodeSession;
import org.orcagrid.ddp.node.Request;
import org.orcagrid.ddp.store.Bytes;

/**
 * The keys of a grid with the access modes of {@link java.lang.invoke.VarHandle}, for keys and
 * values of two types. A key without a value reads as null, and writing null takes a value away.
 *
 * <table>
 * <caption>What an access promises (Kite, section 2.3)</caption>
 * <tr><th>mode</th><th>promise</th></tr>
 * <tr><td>{@code get}, {@code set}</td><td>relaxed: all sessions agree on the order of a key's
 *   writes, and a session's accesses to one key are in its order</td></tr>
 * <tr><td>{@code getAcquire}</td><td>linearizable, and what the session does next comes
 *   after it</td></tr>
 * <tr><td>{@code setRelease}</td><td>linearizable, and what the session has written before is there
 *   for whoever reads this with an acquire</td></tr>
 * <tr><td>{@code getAndSet}, {@code getAndAdd}, {@code compareAndSet} and so on</td><td>atomic, and
 *   both of that</td></tr>
 * </table>
 *
 * <p>Each also as {@code …Async}: with a {@link CompletionStage}, which the session's {@link
 * GridSession#executor} completes; and with an {@link AnswerListener}, which allocates nothing and
 * runs in the node's or the connection's thread. Asynchronous operations of a session take effect
 * in the order in which they were begun. To cancel a stage does not take the operation back.
 *
 * <p>Asynchronous forms never wait. When as many operations of the session are under way as may be,
 * they end at once with an {@link OverloadException}: the stage does, and a form with a listener
 * throws it ({@link GridSession#awaitRoom} waits for room). Those with a stage never throw: every
 * failure completes the stage. An operation that has not ended in the session's time-out ends with
 * an {@link OutcomeUnknownException}, or, from outside, with a {@link NotDoneException} if it was
 * not sent: then it is taken back.
 *
 * <p>The waiting forms throw {@link OutcomeUnknownException} when no answer comes in the session's
 * time-out, {@link StoreFullException} and {@link NotANumberException}, and {@link
 * OverloadException} when there was no room for as long.
 *
 * <p>To be used by one thread at a time, with all else of its session.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public final class View<K, V> {
  private final GridSession session;
  private final NodeSession node;
  private final Codec<K> keys;
  private final Codec<V> values;
  private final Input input = new Input();
  private final Bytes read = new Bytes(64);

  View(GridSession session, Codec<K> keys, Codec<V> values) {
    this.session = session;
    this.node = session.node();
    this.keys = keys;
    this.values = values;
  }

  // --- waiting -----------------------------------------------------------------------------------

  /** Reads, relaxed. From this node's own copy unless the key has to be refreshed first. */
  public V get(K key) {
    Bytes name = session.encodeKey(keys, key);
    if (node.read(name, read)) {
      return decode(read);
    }
    return decode(run(request(Full.WAIT, OperationKind.READ, name, null)));
  }

  /**
   * Reads a long, relaxed, and allocates nothing if the key's codec does not.
   *
   * @param absent what to return if the key has no value
   */
  public long getLong(K key, long absent) {
    Bytes name = session.encodeKey(keys, key);
    Bytes result =
        node.read(name, read) ? read : run(request(Full.WAIT, OperationKind.READ, name, null));
    return result.length() < 0 ? absent : input.begin(result).getLong();
  }

  /** Writes, relaxed: here at once, and soon at the other nodes. */
  public void set(K key, V value) {
    Bytes name = session.encodeKey(keys, key);
    Bytes content = session.encodeValue(values, value);
    session.awaitRoom();
    Outcome outcome = node.write(name, content);
    if (outcome == null) {
      run(request(Full.WAIT, OperationKind.WRITE, name, content));
    } else if (outcome != Outcome.DONE) {
      throw Answer.failure(outcome);
    }
  }

  /** Takes a key's value away, relaxed: here at once, and soon at the other nodes. */
  public void delete(K key) {
    set(key, null);
  }

  /** Takes a key's value away, linearizable, after all that the session has done. */
  public void deleteRelease(K key) {
    setRelease(key, null);
  }

  /**
   * The values of these keys that have one: a {@link #get} of each.
   *
   * @return the entries in the order of the keys; a map of the caller's own
   */
  public Map<K, V> getAll(Collection<? extends K> all) {
    Map<K, V> found = new LinkedHashMap<>();
    for (K key : all) {
      V value = get(key);
      if (value != null) {
        found.put(key, value);
      }
    }
    return found;
  }

  /** Gives keys values: a {@link #set} of each. */
  public void setAll(Map<? extends K, ? extends V> entries) {
    entries.forEach(this::set);
  }

  /** Reads, linearizable, before all that the session does next. */
  public V getAcquire(K key) {
    return decode(run(request(Full.WAIT, OperationKind.ACQUIRE, key)));
  }

  /** Writes, linearizable, after all that the session has done. */
  public void setRelease(K key, V value) {
    run(request(Full.WAIT, OperationKind.RELEASE, key, value));
  }

  /** Writes and returns what was there. */
  public V getAndSet(K key, V value) {
    return decode(run(request(Full.WAIT, OperationKind.GET_AND_SET, key, value)));
  }

  /** Adds to a number of 8 bytes and returns what was there; a key without a value counts as 0. */
  public long getAndAdd(K key, long delta) {
    Bytes before = run(add(Full.WAIT, key, delta));
    return before.length() < 0 ? 0 : input.begin(before).getLong();
  }

  /** Writes {@code value} if the key has {@code expected}; whether it did. */
  public boolean compareAndSet(K key, V expected, V value) {
    Request request = compare(Full.WAIT, OperationKind.COMPARE_AND_SET, key, expected, value);
    run(request);
    return request.outcome() == Outcome.DONE;
  }

  /**
   * The same, and may fail without asking any other node when this one's copy is not the expected:
   * for loops that read and try again.
   */
  public boolean weakCompareAndSet(K key, V expected, V value) {
    Request request = compare(Full.WAIT, OperationKind.WEAK_COMPARE_AND_SET, key, expected, value);
    run(request);
    return request.outcome() == Outcome.DONE;
  }

  /**
   * Like {@link #compareAndSet}, and returns what was there: what was expected if it has written.
   */
  public V compareAndExchange(K key, V expected, V value) {
    return decode(run(compare(Full.WAIT, OperationKind.COMPARE_AND_SET, key, expected, value)));
  }

  // --- with a stage ------------------------------------------------------------------------------

  /** {@link #get}, without waiting. */
  public CompletionStage<V> getAsync(K key) {
    return stage(() -> request(Full.REFUSE, OperationKind.READ, key), Answer::value);
  }

  /** {@link #set}, without waiting. */
  public CompletionStage<Void> setAsync(K key, V value) {
    return stage(() -> request(Full.REFUSE, OperationKind.WRITE, key, value), answer -> null);
  }

  /** {@link #getAcquire}, without waiting. */
  public CompletionStage<V> getAcquireAsync(K key) {
    return stage(() -> request(Full.REFUSE, OperationKind.ACQUIRE, key), Answer::value);
  }

  /** {@link #delete}, without waiting. */
  public CompletionStage<Void> deleteAsync(K key) {
    return setAsync(key, null);
  }

  /** {@link #deleteRelease}, without waiting. */
  public CompletionStage<Void> deleteReleaseAsync(K key) {
    return setReleaseAsync(key, null);
  }

  /** {@link #setRelease}, without waiting. */
  public CompletionStage<Void> setReleaseAsync(K key, V value) {
    return stage(() -> request(Full.REFUSE, OperationKind.RELEASE, key, value), answer -> null);
  }

  /** {@link #getAndSet}, without waiting. */
  public CompletionStage<V> getAndSetAsync(K key, V value) {
    return stage(() -> request(Full.REFUSE, OperationKind.GET_AND_SET, key, value), Answer::value);
  }

  /** {@link #getAndAdd}, without waiting. */
  public CompletionStage<Long> getAndAddAsync(K key, long delta) {
    return stage(() -> add(Full.REFUSE, key, delta), answer -> answer.longValue(0));
  }

  /** {@link #compareAndSet}, without waiting. */
  public CompletionStage<Boolean> compareAndSetAsync(K key, V expected, V value) {
    return stage(
        () -> compare(Full.REFUSE, OperationKind.COMPARE_AND_SET, key, expected, value),
        Answer::isDone);
  }

  /** {@link #weakCompareAndSet}, without waiting. */
  public CompletionStage<Boolean> weakCompareAndSetAsync(K key, V expected, V value) {
    return stage(
        () -> compare(Full.REFUSE, OperationKind.WEAK_COMPARE_AND_SET, key, expected, value),
        Answer::isDone);
  }

  /** {@link #compareAndExchange}, without waiting. */
  public CompletionStage<V> compareAndExchangeAsync(K key, V expected, V value) {
    return stage(
        () -> compare(Full.REFUSE, OperationKind.COMPARE_AND_SET, key, expected, value),
        Answer::value);
  }

  // --- with a listener ---------------------------------------------------------------------------

  /** {@link #get}, without waiting; the listener is told. */
  public void getAsync(K key, AnswerListener<V> listener) {
    tell(request(Full.REFUSE, OperationKind.READ, key), listener);
  }

  /** {@link #set}, without waiting; the listener is told. */
  public void setAsync(K key, V value, AnswerListener<V> listener) {
    tell(request(Full.REFUSE, OperationKind.WRITE, key, value), listener);
  }

  /** {@link #getAcquire}, without waiting; the listener is told. */
  public void getAcquireAsync(K key, AnswerListener<V> listener) {
    tell(request(Full.REFUSE, OperationKind.ACQUIRE, key), listener);
  }

  /** {@link #setRelease}, without waiting; the listener is told. */
  public void setReleaseAsync(K key, V value, AnswerListener<V> listener) {
    tell(request(Full.REFUSE, OperationKind.RELEASE, key, value), listener);
  }

  /** {@link #getAndSet}, without waiting; the listener is told. */
  public void getAndSetAsync(K key, V value, AnswerListener<V> listener) {
    tell(request(Full.REFUSE, OperationKind.GET_AND_SET, key, value), listener);
  }

  /** {@link #getAndAdd}, without waiting; the listener is told. */
  public void getAndAddAsync(K key, long delta, AnswerListener<V> listener) {
    tell(add(Full.REFUSE, key, delta), listener);
  }

  /** {@link #compareAndSet}, without waiting; the listener is told. */
  public void compareAndSetAsync(K key, V expected, V value, AnswerListener<V> listener) {
    tell(compare(Full.REFUSE, OperationKind.COMPARE_AND_SET, key, expected, value), listener);
  }

  /** {@link #weakCompareAndSet}, without waiting; the listener is told. */
  public void weakCompareAndSetAsync(K key, V expected, V value, AnswerListener<V> listener) {
    tell(compare(Full.REFUSE, OperationKind.WEAK_COMPARE_AND_SET, key, expected, value), listener);
  }

  /** {@link #compareAndExchange}, without waiting; the listener is told. */
  public void compareAndExchangeAsync(K key, V expected, V value, AnswerListener<V> listener) {
    tell(compare(Full.REFUSE, OperationKind.COMPARE_AND_SET, key, expected, value), listener);
  }

  // --- requests ----------------------------------------------------------------------------------

  /** What an operation does when as many of its session are under way as may be. */
  private enum Full {
    /** It waits for room. */
    WAIT,
    /** It is refused. */
    REFUSE
  }

  private Request request(Full full, OperationKind kind, K key) {
    return request(full, kind, session.encodeKey(keys, key), null);
  }

  private Request request(Full full, OperationKind kind, K key, V value) {
    return request(full, kind, session.encodeKey(keys, key), session.encodeValue(values, value));
  }

  private Request request(Full full, OperationKind kind, Bytes key, Bytes value) {
    Request request = full == Full.WAIT ? session.next() : session.nextNow();
    request.kind(kind);
    request.key().set(key);
    if (value != null) {
      request.value().set(value);
    }
    return request;
  }

  private Request add(Full full, K key, long delta) {
    Request request = request(full, OperationKind.GET_AND_ADD, key);
    request.delta(delta);
    return request;
  }

  private Request compare(Full full, OperationKind kind, K key, V expected, V value) {
    Request request = request(full, kind, key, value);
    request.expected().set(session.encodeValue(values, expected));
    return request;
  }

  private Bytes run(Request request) {
    session.run(request);
    return request.result();
  }

  private V decode(Bytes bytes) {
    return bytes.length() < 0 ? null : values.read(input.begin(bytes));
  }

  private void tell(Request request, AnswerListener<V> listener) {
    session.begin(request, values, listener);
  }

  /** Begins an operation; every failure completes the stage. */
  private <R> CompletionStage<R> stage(Supplier<Request> beginning, Function<Answer<V>, R> result) {
    CompletableFuture<R> stage = new CompletableFuture<>();
    Executor executor = session.answers().executor();
    try {
      tell(
          beginning.get(),
          answer -> {
            // It is used again when this returns.
            Answer<V> kept = answer.copy();
            Callbacks.run(executor, () -> end(stage, kept, result));
          });
    } catch (RuntimeException | Error e) {
      stage.completeExceptionally(e);
    }
    return stage;
  }

  private static <V, R> void end(
      CompletableFuture<R> stage, Answer<V> answer, Function<Answer<V>, R> result) {
    GridException failure = answer.failure();
    if (failure != null) {
      stage.completeExceptionally(failure);
      return;
    }
    try {
      stage.complete(result.apply(answer));
    } catch (RuntimeException | Error e) {
      // The codec could not read the value: that is the caller's to know.
      stage.completeExceptionally(e);
    }
  }
}
