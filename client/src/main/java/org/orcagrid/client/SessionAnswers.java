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

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.orcagrid.ddp.node.NodeSession;
import org.orcagrid.ddp.node.Request;
import org.orcagrid.ddp.node.RequestQueue;

/**
 * The asynchronous operations of a session that are under way, with their deadlines. Begun by the
 * session's thread, ended by whoever does its work, or by the sweep of {@link Deadlines}.
 */
final class SessionAnswers extends Deadlines.UnderWay {
  /** For the request with the same index; made on first use. */
  private final AtomicReferenceArray<Answer<?>> answers =
      new AtomicReferenceArray<>(RequestQueue.DEPTH);

  private final NodeSession node;

  /** Is run when a request has ended that had a listener, by the thread that ends it. */
  private final Runnable onEnded;

  SessionAnswers(NodeSession node, Deadlines deadlines, Runnable onEnded) {
    super(deadlines);
    this.node = node;
    this.onEnded = onEnded;
  }

  /** Has a listener told of a request's end, which is submitted next. */
  <V> Answer<V> begin(
      Request request, Codec<V> values, AnswerListener<V> listener, Waiting waiting) {
    Answer<V> answer = answer(request.index());
    answer.begin(request, values, listener);
    answer.deadline(deadlines().due(waiting.timeout()), waiting.timeout(), waiting.executor());
    request.listener(answer);
    begun();
    return answer;
  }

  /** Of any type: it is told which with each operation. */
  @SuppressWarnings("unchecked")
  private <V> Answer<V> answer(int index) {
    Answer<?> made = answers.getPlain(index);
    if (made == null) {
      made = new Answer<>(this);
      answers.set(index, made);
    }
    return (Answer<V>) made;
  }

  /** A request has ended, whether its deadline had passed or not. */
  void ended() {
    onEnded.run();
  }

  /** A deadline has passed. */
  void passed() {
    deadlines().passed();
  }

  /** A request has ended whose deadline had passed. */
  void late() {
    deadlines().late();
  }

  /** Takes a request back, as {@link NodeSession#withdraw} does. */
  boolean withdraw(Request request, long use) {
    return node.withdraw(request, use);
  }

  @Override
  protected boolean expire(long tick) {
    boolean left = false;
    for (int i = 0; i < answers.length(); i++) {
      Answer<?> each = answers.get(i);
      if (each != null) {
        left |= each.expire(tick);
      }
    }
    return left;
  }
}
