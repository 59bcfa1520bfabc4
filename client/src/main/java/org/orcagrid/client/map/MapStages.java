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
package org.orcagrid.client.map;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.orcagrid.client.Callbacks;
import org.orcagrid.client.Deadlines;
import org.orcagrid.client.GridException;
import org.orcagrid.client.NotDoneException;
import org.orcagrid.client.OutcomeUnknownException;
import org.orcagrid.client.Waiting;
import org.orcagrid.ddp.map.Withdrawable;

/**
 * The stages of a map's asynchronous operations: completed where the caller says, by the end of the
 * operation or by its deadline, whatever is first. Safe for use by many threads.
 */
final class MapStages extends Deadlines.UnderWay {
  private static final VarHandle OPEN;

  static {
    try {
      OPEN = MethodHandles.lookup().findVarHandle(Stage.class, "open", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Says what has failed in a way that users know. */
  private final Function<Throwable, Throwable> failures;

  /** Those that may be open; the sweep takes the others away. */
  private final Queue<Stage<?, ?>> begun = new ConcurrentLinkedQueue<>();

  MapStages(Deadlines deadlines, Function<Throwable, Throwable> failures) {
    super(deadlines);
    this.failures = failures;
  }

  /** What a caller has of an operation. */
  private static final class Stage<T, R> extends CompletableFuture<R> {
    private final Function<T, R> result;
    private final Waiting waiting;

    /** The tick of the deadline. */
    private final long due;

    /** The operation itself; written before the sweep can see this. */
    private CompletableFuture<T> end;

    /** Whoever closes it completes it. */
    @SuppressWarnings("UnusedVariable")
    private volatile boolean open = true;

    Stage(Function<T, R> result, Waiting waiting, long due) {
      this.result = result;
      this.waiting = waiting;
      this.due = due;
    }

    boolean close() {
      return OPEN.compareAndSet(this, true, false);
    }

    /** What {@code thenApply} and the like return needs no deadline. */
    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
      return new CompletableFuture<>();
    }
  }

  /**
   * Begins an operation; every failure completes the stage. One that has failed at once is complete
   * when this returns.
   *
   * @param result of the operation's end; asked for where the stage is completed
   */
  <T, R> CompletableFuture<R> begin(
      Supplier<CompletableFuture<T>> beginning, Function<T, R> result, Waiting waiting) {
    Stage<T, R> stage = new Stage<>(result, waiting, deadlines().due(waiting.timeout()));
    CompletableFuture<T> end;
    try {
      end = beginning.get();
    } catch (RuntimeException | Error e) {
      stage.completeExceptionally(failures.apply(e));
      return stage;
    }
    if (end.isCompletedExceptionally()) {
      whenEnded(end, (done, reason) -> complete(stage, done, reason));
      return stage;
    }
    stage.end = end;
    begun.add(stage);
    begun();
    whenEnded(
        end,
        (done, reason) -> {
          if (stage.close()) {
            Callbacks.run(waiting.executor(), () -> complete(stage, done, reason));
          } else {
            deadlines().late();
          }
        });
    return stage;
  }

  // What is told throws nothing.
  @SuppressWarnings("FutureReturnValueIgnored")
  private static <T> void whenEnded(CompletableFuture<T> end, BiConsumer<T, Throwable> told) {
    end.whenComplete(told);
  }

  private <T, R> void complete(Stage<T, R> stage, T done, Throwable reason) {
    if (reason != null) {
      stage.completeExceptionally(failures.apply(reason));
      return;
    }
    try {
      stage.complete(stage.result.apply(done));
    } catch (RuntimeException | Error e) {
      // The codec could not read the value: that is the caller's to know.
      stage.completeExceptionally(failures.apply(e));
    }
  }

  @Override
  protected boolean expire(long tick) {
    begun.removeIf(each -> !each.open || expire(each, tick));
    return !begun.isEmpty();
  }

  private boolean expire(Stage<?, ?> stage, long tick) {
    if (stage.due > tick) {
      return stage.isDone();
    }
    if (stage.close()) {
      deadlines().passed();
      boolean isNotDone = stage.end instanceof Withdrawable operation && operation.withdraw();
      GridException reason =
          isNotDone
              ? NotDoneException.ofMap("It was not begun in " + stage.waiting.timeout())
              : OutcomeUnknownException.ofMap("There was no answer in " + stage.waiting.timeout());
      Callbacks.run(stage.waiting.executor(), () -> stage.completeExceptionally(reason));
    }
    return true;
  }
}
