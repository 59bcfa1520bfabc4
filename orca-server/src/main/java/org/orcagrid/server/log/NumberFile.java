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
package org.orcagrid.server.log;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.apache.zookeeper.common.AtomicFileWritingIdiom;

/**
 * A number in a text file, and a second line that tells whether it is the number that was written.
 *
 * <p>A stock server reads the first line alone. When it writes the file the second line is gone,
 * and {@link Content#checked} says so. A person may write a number as well: {@code echo 7 > file}.
 */
public final class NumberFile {

  private static final String CHECK = "# crc32c ";

  /**
   * What a file holds.
   *
   * @param number its first line
   * @param note the words that were written with it; empty without a check
   * @param checked whether the check line is there, and right
   * @param wholeLine whether the first line is not cut off
   */
  public record Content(long number, String note, boolean checked, boolean wholeLine) {}

  private NumberFile() {}

  /** Reads {@code file}; nothing of it is trusted that its check contradicts. */
  public static Content read(Path file) throws IOException {
    // Each byte is a character, so that damage is never an error of the encoding.
    String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    int end = text.indexOf('\n');
    String first = end < 0 ? text : text.substring(0, end);
    String rest = end < 0 ? "" : text.substring(end + 1);
    long number;
    try {
      number = Long.parseLong(first.trim());
    } catch (NumberFormatException e) {
      throw new IOException(file + " must hold a number, but holds '" + first + "'", e);
    }
    if (rest.isEmpty()) {
      return new Content(number, "", false, end >= 0);
    }
    int noteEnd = rest.indexOf(CHECK);
    String note = noteEnd < 0 ? "" : rest.substring(0, noteEnd);
    if (noteEnd < 0 || !text.equals(text(first, note))) {
      throw new IOException(
          file
              + " holds the number '"
              + first
              + "', which is not what was written: its check is wrong");
    }
    return new Content(number, note, true, true);
  }

  private static String text(String number, String note) {
    CRC32C crc = new CRC32C();
    crc.update((number + '\n' + note).getBytes(StandardCharsets.ISO_8859_1));
    return number + '\n' + note + CHECK + String.format("%08x", crc.getValue()) + '\n';
  }

  /**
   * Writes {@code file}, whole or not at all; on disk, but for its name, when this returns.
   *
   * @param note whole lines that begin with #, or nothing
   */
  public static void write(Path file, long number, String note) throws IOException {
    byte[] bytes = text(Long.toString(number), note).getBytes(StandardCharsets.ISO_8859_1);
    new AtomicFileWritingIdiom(
        file.toFile(), (AtomicFileWritingIdiom.OutputStreamStatement) out -> out.write(bytes));
  }

  /**
   * The number in a file that none but our server, or a person, writes.
   *
   * @throws IOException if it is damaged; one without a check has to be a whole line
   */
  public static long require(Path file) throws IOException {
    Content content = read(file);
    if (!content.checked() && !content.wholeLine()) {
      throw new IOException(
          file + " holds '" + content.number() + "' and no end of line, so that it may be cut off");
    }
    if (content.number() < 0) {
      throw new IOException(file + " holds " + content.number() + ", which is too low");
    }
    return content.number();
  }
}
