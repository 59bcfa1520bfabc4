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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What plain javac accepts of transactions, what it refuses, and in which words. */
class CompilerTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "posts.set(posts.get().map(n -> n + 1))",
        "a.set(posts.get())",
        "a.set(both(posts.get(), b.get()).map((x, y) -> x + y))",
        "a.set(weaken(Causal.class, posts.get()))",
        "a.change(ADD, posts.get())",
        "when(posts.get().is(n -> n > 3)).then(a.set(value(1L))).then(posts.set(value(1L)))",
        "when(a.get().is(n -> n > 3)).then(b.set(value(1L))).otherwise(b.set(posts.get()))",
        "when(posts.get().is(n -> n > 3), a.get().is(n -> n > 3)).then(b.set(value(1L)))",
        "whilst(posts.get().is(n -> n < 3)).then(a.set(value(1L))).then(posts.set(value(4L)))",
        "whilst(a.get().is(n -> n < 3)).then(a.set(posts.get()))",
        "forEach(members.get()).then(m -> a.set(posts.get()))",
        "forEach(members.get()).then(m -> winner.set(m))",
        "forEach(names.get()).then(n -> name.set(n))",
        "let(posts.get()).in(p -> block(p.set(value(2L)), a.set(p), posts.set(p)))",
        "let(Causal.class, posts.get()).in(p -> block(p.set(a.get()), b.set(p)))",
        "at(Causal.class, strongRef.get()).set(value(1L))",
        "a.set(read(Causal.class, strongRef.get()))",
        "change(Causal.class, strongRef.get(), ADD, posts.get())",
        "winner.set(endorse(Linearizable.class, name.get(), \"one clerk writes it\"))",
        "out.set(posts.get())",
        "strongOut.set(posts.get())",
        "posts.set(reader.get())",
        "writer.set(reader.get())",
      })
  void accepts(String statement) throws IOException {
    assertEquals(List.of(), Programs.refusals(statement));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // explicit flows
        "posts.set(a.get())",
        "posts.set(a.get().map(n -> n + 1))",
        "posts.set(both(posts.get(), a.get()).map((x, y) -> x + y))",
        "posts.set(weaken(Causal.class, posts.get()))",
        "posts.change(ADD, a.get())",
        "strongOut.set(a.get())",
        // implicit ones
        "when(a.get().is(n -> n > 3)).then(posts.set(value(1L)))",
        "when(a.get().is(n -> n > 3)).then(b.set(value(1L))).then(posts.set(value(1L)))",
        "when(a.get().is(n -> n > 3)).then(b.set(value(1L))).otherwise(posts.set(value(1L)))",
        "when(a.get().is(n -> n > 3)).then(block(b.set(value(1L)), posts.set(value(1L))))",
        "when(posts.get().is(n -> n > 3), a.get().is(n -> n > 3)).then(posts.set(value(1L)))",
        "when(posts.get().is(n -> n > 3)).then("
            + "when(a.get().is(n -> n > 3)).then(posts.set(value(1L))))",
        "when(a.get().is(n -> n > 3)).then("
            + "when(posts.get().is(n -> n > 3)).then(posts.set(value(1L))))",
        "when(a.get().is(n -> n > 3)).then(strongOut.set(value(1L)))",
        // loops
        "whilst(a.get().is(n -> n < 3)).then(posts.set(value(1L)))",
        "whilst(a.get().is(n -> n < 3)).then(b.set(value(1L))).then(posts.set(value(1L)))",
        "forEach(names.get()).then(n -> posts.set(value(1L)))",
        "forEach(names.get()).then(n -> winner.set(n))",
        "forEach(names.get()).then(n -> block(a.set(value(1L)), posts.set(value(1L))))",
        // variables
        "let(posts.get()).in(p -> p.set(a.get()))",
        "let(a.get()).in(v -> posts.set(v))",
        "let(Causal.class, posts.get()).in(v -> posts.set(v))",
        "let(Linearizable.class, a.get()).in(v -> b.set(v))",
        "let(posts.get()).in(p -> when(a.get().is(n -> n > 3)).then(p.set(value(1L))))",
        // references
        "at(Linearizable.class, weakRef.get()).set(value(1L))",
        "a.set(read(Linearizable.class, weakRef.get()))",
        "at(Causal.class, strongRef.get()).set(value(\"text\"))",
        "at(Linearizable.class, strongRef.get()).set(value(1L))",
        // access
        "block(reader.set(value(1L)))",
        "out.set(writer.get())",
        // captured statements
        "when(a.get().is(n -> n > 3)).then(any)",
        "forEach(names.get()).then(n -> any)",
        // endorsements
        "winner.set(endorse(Linearizable.class, name.get()))",
        "winner.set(endorse(Causal.class, name.get(), \"weaker than what is written\"))",
      })
  void refuses(String statement) throws IOException {
    assertFalse(Programs.refusals(statement).isEmpty(), "javac accepts it");
  }

  private static void says(String statement, String message) throws IOException {
    List<String> said = Programs.refusals(statement);
    assertEquals(1, said.size(), said::toString);
    assertTrue(said.get(0).startsWith(message), said::toString);
  }

  /** The campaign of section 2.3: weak inboxes decide who has won. */
  @Test
  void saysWhyTheCampaignIsWrongInOneLine() throws IOException {
    says(
        "when(a.get().is(n -> n >= 1000000), b.get().is(n -> n < 1000000))"
            + ".then(winner.set(value(\"a\")))",
        "incompatible types: Stmt<Linearizable> cannot be converted to Stmt<? super Causal>");
  }

  @Test
  void saysWhyAValueIsTooWeak() throws IOException {
    says(
        "posts.set(a.get())",
        "incompatible types: Expr<Causal,Long> cannot be converted to"
            + " Expr<? extends Linearizable,? extends Long>");
  }
}
