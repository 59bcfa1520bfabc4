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

import java.util.ArrayList;
import java.util.List;

/**
 * The words of a line, with spaces between them. In double quotes a word may have spaces, and
 * {@code \"}, {@code \\}, {@code \n}, {@code \r} and {@code \t}; in single quotes everything is
 * what it is. A {@code #} that begins a word ends the line.
 */
final class ShellWords {
  private final String line;
  private final List<String> words = new ArrayList<>();
  private int at;

  private ShellWords(String line) {
    this.line = line;
  }

  /** Splits a line. */
  static List<String> of(String line) throws CommandFailure {
    ShellWords reading = new ShellWords(line);
    reading.read();
    return List.copyOf(reading.words);
  }

  /** A text as it is, but for control characters, which could say something to a terminal. */
  static String shown(String text) {
    if (text.chars().noneMatch(Character::isISOControl)) {
      return text;
    }
    StringBuilder shown = new StringBuilder();
    text.chars().forEach(each -> shown.append(shown((char) each)));
    return shown.toString();
  }

  private static String shown(char each) {
    return switch (each) {
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      default ->
          Character.isISOControl(each)
              ? String.format("\\u%04x", (int) each)
              : Character.toString(each);
    };
  }

  private void read() throws CommandFailure {
    while (true) {
      while (at < line.length() && Character.isWhitespace(line.charAt(at))) {
        at++;
      }
      if (at == line.length() || line.charAt(at) == '#') {
        return;
      }
      words.add(word());
    }
  }

  private String word() throws CommandFailure {
    StringBuilder word = new StringBuilder();
    while (at < line.length() && !Character.isWhitespace(line.charAt(at))) {
      char next = line.charAt(at);
      if (next == '"' || next == '\'') {
        quoted(next, word);
      } else {
        word.append(next);
        at++;
      }
    }
    return word.toString();
  }

  private void quoted(char quote, StringBuilder word) throws CommandFailure {
    int begin = at;
    at++;
    while (at < line.length() && line.charAt(at) != quote) {
      if (quote == '"' && line.charAt(at) == '\\') {
        at++;
        word.append(escaped());
      } else {
        word.append(line.charAt(at));
      }
      at++;
    }
    if (at == line.length()) {
      throw new CommandFailure(
          "The quote that begins with character "
              + (begin + 1)
              + " has no end; close it with "
              + quote);
    }
    at++;
  }

  private char escaped() throws CommandFailure {
    char letter = at < line.length() ? line.charAt(at) : ' ';
    return switch (letter) {
      case '"', '\\' -> letter;
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      default ->
          throw new CommandFailure(
              "After \\ comes one of \\ \" n r t in double quotes, not '"
                  + letter
                  + "'; use single quotes for a text as it is");
    };
  }
}
