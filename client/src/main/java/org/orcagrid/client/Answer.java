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

import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.node.Request;
import org.orcagrid.ddp.node.RequestListener;

/**
 * The end of an asynchronous operation. To be read while {@link AnswerListener#onAnswer} runs; used
 * again after that, so that nothing is allocated.
 *
 * @param <V> the type of values
 */
public final class Answer<V> implements RequestListener {
  private final Codec<V> codec;
  private final Input input = new Input();

  private AnswerListener<V> listener;
  private Request request;

  Answer(Codec<V> codec) {
    this.codec = codec;
  }

  void listener(AnswerListener<V> next) {
    this.listener = next;
  }

  @Override
  public void onCompleted(Request completed) {
    request = completed;
    try {
      listener.onAnswer(this);
    } catch (RuntimeException | Error e) {
      // The caller's fault, and no reason for the session's worker to end.
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    }
  }

  /** Whether it took effect; false if a compare-and-set found another value, or it has failed. */
  public boolean isDone() {
    return request.outcome() == Outcome.DONE;
  }

  /** What has gone wrong; null if nothing has. */
  public GridException failure() {
    return failure(request.outcome());
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
    return request.result().length() >= 0;
  }

  /** What was read, as a long of 8 bytes; 0 if there was no value. Allocates nothing. */
  public long longValue() {
    return isPresent() ? input.begin(request.result()).getLong() : 0;
  }

  /** What was read; null if there was no value. */
  public V value() {
    return isPresent() ? codec.read(input.begin(request.result())) : null;
  }
}
