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
package org.orcagrid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class ShellWordsTest {
  @Test
  void wordsAreSplitAtSpacesThatAreNotQuoted() throws Exception {
    assertEquals(List.of("set", "k", "a b"), ShellWords.of("  set  k\t\"a b\" "));
    assertEquals(List.of("set", "k", "a\\nb"), ShellWords.of("set k 'a\\nb'"));
    assertEquals(List.of("a\"b\\c\n\t\r"), ShellWords.of("\"a\\\"b\\\\c\\n\\t\\r\""));
    assertEquals(List.of("ab c'd"), ShellWords.of("a'b c'\"'\"d"));
    assertEquals(List.of("", ""), ShellWords.of("'' \"\""));
    assertEquals(List.of("C:\\new"), ShellWords.of("C:\\new"));
  }

  @Test
  void aCommentEndsTheLine() throws Exception {
    assertEquals(List.of(), ShellWords.of(" # set a b"));
    assertEquals(List.of("set", "a#1", "#2"), ShellWords.of("set a#1 '#2' # three"));
  }

  @Test
  void aWrongLineSaysWhatIsWrongWithIt() {
    CommandFailure open = assertThrows(CommandFailure.class, () -> ShellWords.of("set k 'v"));
    assertTrue(open.getMessage().contains("begins with character 7 has no end"), open.getMessage());
    CommandFailure letter = assertThrows(CommandFailure.class, () -> ShellWords.of("\"\\x\""));
    assertTrue(letter.getMessage().contains("not 'x'; use single quotes"), letter.getMessage());
    assertThrows(CommandFailure.class, () -> ShellWords.of("\"\\"));
  }

  @Test
  void whatIsShownSaysNothingToATerminal() {
    assertEquals("plain ü \\", ShellWords.shown("plain ü \\"));
    assertEquals("a\\n\\t\\r\\u001b[2J\\u009b", ShellWords.shown("a\n\t\r\u001b[2J\u009b"));
  }
}
