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
package org.orcagrid.ddp.durable.segment;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names of segments' files. A file keeps its name when it is used again, so the name does not
 * tell which segment is in it.
 */
final class SegmentName {
  private static final Pattern PATTERN = Pattern.compile("segment-([1-9][0-9]{0,8})\\.log");

  private SegmentName() {}

  /** The name of the file with a number. */
  static String of(int number) {
    return "segment-" + number + ".log";
  }

  /** Whether this is the name of a segment's file. */
  static boolean matches(String name) {
    return PATTERN.matcher(name).matches();
  }

  /** The number in a name. */
  static int number(String name) {
    Matcher matcher = PATTERN.matcher(name);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(name + " is not the name of a segment's file");
    }
    return Integer.parseInt(matcher.group(1));
  }
}
