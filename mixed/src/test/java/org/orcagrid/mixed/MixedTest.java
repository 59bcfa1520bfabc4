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
package org.orcagrid.mixed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.orcagrid.mixed.Mixed.at;
import static org.orcagrid.mixed.Mixed.block;
import static org.orcagrid.mixed.Mixed.both;
import static org.orcagrid.mixed.Mixed.change;
import static org.orcagrid.mixed.Mixed.endorse;
import static org.orcagrid.mixed.Mixed.forEach;
import static org.orcagrid.mixed.Mixed.let;
import static org.orcagrid.mixed.Mixed.plan;
import static org.orcagrid.mixed.Mixed.read;
import static org.orcagrid.mixed.Mixed.value;
import static org.orcagrid.mixed.Mixed.weaken;
import static org.orcagrid.mixed.Mixed.when;
import static org.orcagrid.mixed.Mixed.whilst;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.orcagrid.mixed.level.Causal;
import org.orcagrid.mixed.level.Linearizable;
import org.orcagrid.mixed.plan.IllegalTransactionException;
import org.orcagrid.mixed.plan.MapAccess;
import org.orcagrid.mixed.plan.Results;

/** Transactions as programs write them, on objects in a map. */
class MixedTest {
  private static final StoreName<Linearizable> ORCA = new StoreName<>("orca", Linearizable.class);
  private static final StoreName<Causal> INBOXES = new StoreName<>("inboxes", Causal.class);

  private static final Change<List<String>, String> INSERT =
      Change.of(
          "insert",
          (present, post) -> {
            List<String> all = present == null ? new ArrayList<>() : new ArrayList<>(present);
            all.add(post);
            return all;
          });

  private final Handle<Linearizable, Long> posts = ORCA.object("posts");
  private final Handle<Linearizable, List<String>> members = ORCA.object("members");
  private final MapAccess objects = new MapAccess();

  private Object of(Handle<?, ?> handle) {
    return objects.objects().get(handle.object());
  }

  private static Handle<Causal, List<String>> inbox(String member) {
    return INBOXES.object(member);
  }

  /** The example of section 2.4, as Figure 1 has it. */
  @Test
  void postGoesToAllMembers() {
    Out<Linearizable, Long> number = new Out<>(Linearizable.class);
    Results first =
        plan(members.set(value(List.of("ann", "bob"))), posts.set(value(0L))).evaluate(objects);
    assertEquals(null, number.of(first));
    Results second =
        plan(
                posts.set(posts.get().map(n -> n + 1)),
                number.set(posts.get()),
                forEach(members.get())
                    .then(
                        m ->
                            change(
                                Causal.class,
                                m.map(MixedTest::inbox),
                                INSERT,
                                posts.get().map(n -> "post " + n))))
            .evaluate(objects);
    assertEquals(1L, number.of(second));
    assertEquals(List.of("post 1"), of(inbox("ann")));
    assertEquals(List.of("post 1"), of(inbox("bob")));
    assertEquals(null, of(inbox("carl")));
    Handle<Causal, Long> seen = INBOXES.object("seen");
    plan(seen.set(number.again(second))).evaluate(objects);
    assertEquals(1L, of(seen));
  }

  @Test
  void statementsDoWhatTheySay() {
    Handle<Causal, Long> sum = INBOXES.object("sum");
    plan(
            posts.set(value(3L)),
            sum.set(value(0L)),
            let(posts.get())
                .in(
                    left ->
                        whilst(left.is(n -> n > 0))
                            .then(sum.set(both(sum.get(), left).map(Long::sum)))
                            .then(left.set(left.map(n -> n - 1)))),
            when(posts.get().is(n -> n == 3), sum.get().is(n -> n == 6))
                .then(inbox("ann").change(INSERT, value("six")))
                .otherwise(inbox("ann").change(INSERT, value("no"))),
            when(posts.get().is(n -> n > 3)).then(posts.set(value(0L))))
        .evaluate(objects);
    assertEquals(6L, of(sum));
    assertEquals(List.of("six"), of(inbox("ann")));
    assertEquals(3L, of(posts));
  }

  @Test
  void referencesAreValues() {
    Handle<Linearizable, Handle<Causal, List<String>>> favourite = ORCA.object("favourite");
    Handle<Causal, List<String>> copy = INBOXES.object("copy");
    plan(
            favourite.set(value(inbox("ann"))),
            at(Causal.class, favourite.get()).set(value(List.of("hello"))),
            copy.set(weaken(Causal.class, read(Causal.class, favourite.get()))))
        .evaluate(objects);
    assertEquals(List.of("hello"), of(copy));
  }

  @Test
  void whatIsEndorsedHasAReason() {
    Handle<Linearizable, List<String>> archive = ORCA.object("archive");
    objects.write(inbox("ann").object(), List.of("old"));
    plan(archive.set(endorse(Linearizable.class, inbox("ann").get(), "nobody writes it any more")))
        .evaluate(objects);
    assertEquals(List.of("old"), of(archive));
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> endorse(Linearizable.class, inbox("ann").get(), " "));
    assertTrue(refused.getMessage().contains("say why"), refused.getMessage());
  }

  @Test
  void variablesDoNotLeave() {
    List<Var<Linearizable, Long>> kept = new ArrayList<>();
    Stmt<Linearizable> keeps =
        let(posts.get())
            .in(
                n -> {
                  kept.add(n);
                  return posts.set(n);
                });
    IllegalTransactionException refused =
        assertThrows(IllegalTransactionException.class, () -> plan(keeps, posts.set(kept.get(0))));
    assertTrue(refused.getMessage().contains("use an Out"), refused.getMessage());
  }

  /** What the compiler does not see. */
  @Test
  @SuppressWarnings({"unchecked", "rawtypes"})
  void rawTypesAreFoundWhenATransactionIsBuilt() {
    Expr raw = inbox("ann").get().map(List::size);
    Stmt<?> flows = posts.set(raw);
    IllegalTransactionException refused =
        assertThrows(IllegalTransactionException.class, () -> plan(block(flows)));
    assertTrue(
        refused.getMessage().contains("Causal only, and decides orca/posts, which is Linearizable"),
        refused.getMessage());
  }
}
