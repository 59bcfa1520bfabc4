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
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What a process of a load was told, a line for each answer; it outlives a kill. */
final class LedgerFile implements AutoCloseable {
  private final FileChannel file;

  LedgerFile(Path path) throws IOException {
    file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** One write to the file for each line: the page cache has all of it, or nothing but its end. */
  synchronized void write(String line) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(UTF_8));
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
    } catch (IOException e) {
      throw new IllegalStateException("The ledger cannot be written", e);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
