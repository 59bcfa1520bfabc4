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
package org.orcagrid.transport.tcp;

import java.util.Locale;

/** What strangers say, as a line of a log may have it. */
final class PrintableText {
  /** The most characters of a name in a sentence. */
  static final int NAME_LENGTH_MAX = 100;

  /** The most characters of a sentence. */
  static final int LENGTH_MAX = 300;

  private static final String CUT = "...";

  private PrintableText() {}

  /** A sentence: without control characters, and cut. */
  static String of(String text) {
    return of(text, LENGTH_MAX);
  }

  /** A name in quotes, told apart from the sentence around it. */
  static String quoted(String name) {
    String escaped = name.replace("\\", "\\\\").replace("\"", "\\\"");
    return '"' + of(escaped, NAME_LENGTH_MAX) + '"';
  }

  private static String of(String text, int lengthMax) {
    StringBuilder out = new StringBuilder();
    int at = 0;
    while (at < text.length() && out.length() <= lengthMax) {
      int point = text.codePointAt(at);
      if (isPrintable(point)) {
        out.appendCodePoint(point);
      } else {
        out.append(String.format(Locale.ROOT, "\\u%04x", point));
      }
      at += Character.charCount(point);
    }
    if (out.length() > lengthMax) {
      int length = lengthMax - CUT.length();
      out.setLength(Character.isHighSurrogate(out.charAt(length - 1)) ? length - 1 : length);
      out.append(CUT);
    }
    return out.toString();
  }

  /** Neither ends a line, nor moves a cursor, nor turns the direction of what follows. */
  private static boolean isPrintable(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.PRIVATE_USE,
          Character.SURROGATE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }
}
