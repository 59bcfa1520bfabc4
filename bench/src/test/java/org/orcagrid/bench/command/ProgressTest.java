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
package org.orcagrid.bench.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ProgressTest {
  private final StringWriter text = new StringWriter();
  private final AtomicLong nanos = new AtomicLong();

  @Test
  void overwritesOneLineOnATerminal() {
    Progress progress = new Progress(new PrintWriter(text), true, nanos::get);
    progress.update("A", 0.25, 100);
    progress.update("A", 0.5, 200);
    progress.say("done");
    assertEquals(1, text.toString().lines().filter(line -> line.endsWith("done")).count());
    assertEquals(3, text.toString().chars().filter(c -> c == '\r').count());
  }

  @Test
  void printsAPlainLineNowAndThenElsewhere() {
    Progress progress = new Progress(new PrintWriter(text), false, nanos::get);
    for (int i = 0; i < 10; i++) {
      nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(500));
      progress.update("A", i / 10.0, 100);
    }
    assertEquals(2, text.toString().lines().count());
    assertFalse(text.toString().contains("\r"));
    assertTrue(text.toString().contains("30%"), text.toString());
  }
}
