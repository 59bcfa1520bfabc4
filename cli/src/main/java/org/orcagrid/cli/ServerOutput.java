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

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the server processes of a data folder have said: their log, {@code orca.log}, which logback
 * rolls over, and {@code orca.out}, which has what they print beside it, such as the sentence of a
 * refused start.
 *
 * @param log the log
 * @param printed what else they print
 */
record ServerOutput(Path log, Path printed) {
  private static final int TAIL_LINES = 12;

  /** Enough for the last lines of any log, even with long ones. */
  private static final int TAIL_BYTES_MAX = 32 * 1024;

  /**
   * A place in both files.
   *
   * @param logBytes from the beginning of the log
   * @param printedBytes from the beginning of the other
   */
  record Mark(long logBytes, long printedBytes) {}

  static ServerOutput in(Path dataDir) {
    return new ServerOutput(dataDir.resolve("orca.log"), dataDir.resolve("orca.out"));
  }

  Mark mark() throws IOException {
    return new Mark(size(log), size(printed));
  }

  private static long size(Path file) throws IOException {
    return Files.exists(file) ? Files.size(file) : 0;
  }

  /** Returns the last lines written since {@code mark}: of the log, then of what was printed. */
  List<String> tail(Mark mark) throws IOException {
    return last(TAIL_LINES, mark);
  }

  /** Returns the last lines of both files, at most so many. */
  List<String> last(int lines) throws IOException {
    return last(lines, new Mark(0, 0));
  }

  private List<String> last(int count, Mark mark) throws IOException {
    List<String> lines = new ArrayList<>(since(log, mark.logBytes()));
    lines.addAll(since(printed, mark.printedBytes()));
    return lines.subList(Math.max(0, lines.size() - count), lines.size());
  }

  /** Returns the sentence with which a process of ours gave up since {@code mark}. */
  Optional<String> failure(Mark mark) throws IOException {
    return since(printed, mark.printedBytes()).stream()
        .filter(line -> line.startsWith(FailureReport.PREFIX))
        .map(line -> line.substring(FailureReport.PREFIX.length()))
        .reduce((first, last) -> last);
  }

  private static List<String> since(Path file, long offsetBytes) throws IOException {
    if (!Files.exists(file)) {
      return List.of();
    }
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      // A file shorter than the mark was rolled over since: all of it is new.
      long from = offsetBytes > in.length() ? 0 : offsetBytes;
      long begin = Math.max(from, in.length() - TAIL_BYTES_MAX);
      byte[] bytes = new byte[(int) Math.max(0, in.length() - begin)];
      in.seek(begin);
      in.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8).lines().toList();
    }
  }
}
