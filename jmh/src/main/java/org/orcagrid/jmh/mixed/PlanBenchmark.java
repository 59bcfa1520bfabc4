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
package org.orcagrid.jmh.mixed;

import static org.orcagrid.mixed.Mixed.both;
import static org.orcagrid.mixed.Mixed.forEach;
import static org.orcagrid.mixed.Mixed.let;
import static org.orcagrid.mixed.Mixed.plan;
import static org.orcagrid.mixed.Mixed.value;
import static org.orcagrid.mixed.Mixed.when;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.orcagrid.mixed.Handle;
import org.orcagrid.mixed.Out;
import org.orcagrid.mixed.StoreName;
import org.orcagrid.mixed.level.Causal;
import org.orcagrid.mixed.level.Linearizable;
import org.orcagrid.mixed.plan.Access;
import org.orcagrid.mixed.plan.Operation;
import org.orcagrid.mixed.plan.Plan;
import org.orcagrid.mixed.plan.Results;
import org.orcagrid.mixed.plan.StoredObject;

/**
 * A transaction of ten statements over two levels, with a loop of four iterations: building it with
 * its check and split, and evaluating its two phases against stores that cost nothing. For each
 * statement.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class PlanBenchmark {
  private static final int STATEMENTS = 10;

  private final Handle<Linearizable, Long> posts =
      new StoreName<>("orca", Linearizable.class).object("posts");
  private final Handle<Linearizable, List<Long>> members =
      new StoreName<>("orca", Linearizable.class).object("members");
  private final Handle<Causal, Long> inbox =
      new StoreName<>("inboxes", Causal.class).object("inbox");
  private final Handle<Causal, Long> sum = new StoreName<>("inboxes", Causal.class).object("sum");
  private final Out<Linearizable, Long> number = new Out<>(Linearizable.class);
  private final Access stores = new Fixed();
  private final Plan built = build();

  /** Objects that hold the same for ever. */
  private static final class Fixed implements Access {
    private static final List<Long> MEMBERS = List.of(1L, 2L, 3L, 4L);

    @Override
    public Object read(StoredObject object) {
      return object.key().equals("members") ? MEMBERS : (Object) 5L;
    }

    @Override
    public void write(StoredObject object, Object value) {}

    @Override
    public void change(StoredObject object, Operation operation, Object argument) {}
  }

  private Plan build() {
    return plan(
        posts.set(posts.get().map(n -> n + 1)),
        number.set(posts.get()),
        inbox.set(posts.get()),
        let(posts.get())
            .in(
                n ->
                    forEach(members.get())
                        .then(
                            m ->
                                when(both(n, m).map((x, y) -> x > y))
                                    .then(inbox.set(m))
                                    .otherwise(inbox.set(value(0L))))),
        sum.set(both(sum.get(), inbox.get()).map(Long::sum)),
        when(sum.get().is(n -> n > 3)).then(inbox.set(posts.get())));
  }

  /** Building, checking and splitting. */
  @Benchmark
  @OperationsPerInvocation(STATEMENTS)
  public Plan split() {
    return build();
  }

  /** Both phases. */
  @Benchmark
  @OperationsPerInvocation(STATEMENTS)
  public Results evaluate() {
    return built.evaluate(stores);
  }

  /** A transaction as a program has it: built, and evaluated once. */
  @Benchmark
  @OperationsPerInvocation(STATEMENTS)
  public Results splitAndEvaluate() {
    return build().evaluate(stores);
  }
}
