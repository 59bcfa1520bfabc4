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
package org.orcagrid.ddp.map;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.orcagrid.ddp.durable.segment.DurableFiles;

/** The last view of a grid whose nodes are all in one JVM, in a file. */
final class ViewStore {
  private final Path file;

  ViewStore(Path file) {
    this.file = file;
  }

  /** The view that was kept last. */
  Optional<AgreedView> read() throws IOException {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(AgreedView.parse(Files.readAllBytes(file)));
    } catch (IllegalArgumentException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  /** Keeps a view; durable when this returns. */
  void write(AgreedView view) throws IOException {
    DurableFiles.write(file, ByteBuffer.wrap(view.toBytes()));
  }
}
