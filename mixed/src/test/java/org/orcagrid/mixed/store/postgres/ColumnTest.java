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
package org.orcagrid.mixed.store.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.orcagrid.mixed.plan.IllegalTransactionException;

class ColumnTest {
  private static final Column FIVE = new Column("t", "name", Column.Type.VARCHAR, 5 + 4);

  /** PostgreSQL drops spaces that are too many without a word. */
  @Test
  void aTextIsNeverCut() {
    // One of these characters is two in Java.
    String five = "a\uD83D\uDE00   ";
    assertEquals(five, FIVE.text(five));
    FIVE.checkKey(five);
    IllegalTransactionException e =
        assertThrows(IllegalTransactionException.class, () -> FIVE.text("a     "));
    assertTrue(e.getMessage().contains("give it at most 5 characters"), e.getMessage());
    e = assertThrows(IllegalTransactionException.class, () -> FIVE.checkKey("a     "));
    assertTrue(e.getMessage().contains("a String of at most 5 characters"), e.getMessage());
  }

  @Test
  void aTextWithoutALimitMayBeLong() {
    String text = " ".repeat(10_000);
    for (Column.Type each : new Column.Type[] {Column.Type.TEXT, Column.Type.VARCHAR}) {
      Column column = new Column("t", "name", each, -1);
      assertEquals(text, column.text(text));
      column.checkKey(text);
    }
  }
}
