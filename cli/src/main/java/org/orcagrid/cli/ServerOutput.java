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
import java.util.List;
import java.util.Optional;

/**
 * The file {@code orca.log} in a data folder: whatever the server processes of that folder print.
 *
 * @param file where it is
 */
record ServerOutput(Path file) {
  private static final int TAIL_LINES = 12;

  /** Enough for the last lines of any log, even with long ones. */
  private static final int TAIL_BYTES_MAX = 32 * 1024;

  /**
   * A place in the file.
   *
   * @param offsetBytes from the file's beginning
   */
  record Mark(long offsetBytes) {}

  static ServerOutput in(Path dataDir) {
    return new ServerOutput(dataDir.resolve("orca.log"));
  }

  Mark mark() throws IOException {
    return new Mark(Files.exists(file) ? Files.size(file) : 0);
  }

  /** Returns the last lines printed since {@code mark}. */
  List<String> tail(Mark mark) throws IOException {
    List<String> lines = since(mark);
    return lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size());
  }

  /** Returns the sentence with which a process of ours gave up since {@code mark}. */
  Optional<String> failure(Mark mark) throws IOException {
    return since(mark).stream()
        .filter(line -> line.startsWith(FailureReport.PREFIX))
        .map(line -> line.substring(FailureReport.PREFIX.length()))
        .reduce((first, last) -> last);
  }

  private List<String> since(Mark mark) throws IOException {
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      long begin = Math.max(mark.offsetBytes(), in.length() - TAIL_BYTES_MAX);
      byte[] bytes = new byte[(int) Math.max(0, in.length() - begin)];
      in.seek(begin);
      in.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8).lines().toList();
    }
  }
}
