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
package org.orcagrid.grid;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import org.orcagrid.ddp.model.Ddp;

/**
 * What a process that is going to be killed has been told: for each model the last number that its
 * write has completed with, and the last that it has read. Safe for use by many threads.
 */
final class ModelLedger implements AutoCloseable {
  private final FileChannel file;

  ModelLedger(Path path) throws IOException {
    this.file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** One write to the file for each line: what was told outlives a kill. */
  synchronized void add(String what, Ddp model, long number) {
    ByteBuffer line = ByteBuffer.wrap((what + " " + model + " " + number + "\n").getBytes(UTF_8));
    try {
      while (line.hasRemaining()) {
        file.write(line);
      }
    } catch (IOException e) {
      throw new IllegalStateException("The ledger cannot be written", e);
    }
  }

  /** The last number of each model that was written down under a word. */
  static Map<Ddp, Long> last(Path path, String what) throws IOException {
    String text = Files.readString(path);
    Map<Ddp, Long> last = new HashMap<>();
    // A line without an end was cut off by the kill.
    text.substring(0, text.lastIndexOf('\n') + 1)
        .lines()
        .map(line -> line.split(" ", -1))
        .filter(words -> words[0].equals(what))
        .forEach(words -> last.merge(Ddp.parse(words[1]), Long.valueOf(words[2]), Math::max));
    return last;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
