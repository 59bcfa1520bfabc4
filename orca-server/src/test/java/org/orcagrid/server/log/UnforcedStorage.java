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
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Files whose forces do nothing, for tests of many starts that cut no power of this machine. */
public final class UnforcedStorage implements LogStorage {
  private final LogStorage files = LogStorage.files();

  @Override
  public LogFile create(Path file) throws IOException {
    LogFile created = files.create(file);
    return new LogFile() {
      @Override
      public void write(ByteBuffer bytes, long position) throws IOException {
        created.write(bytes, position);
      }

      @Override
      public void force() {}

      @Override
      public void close() throws IOException {
        created.close();
      }
    };
  }

  @Override
  public void forceFile(Path file) {}

  @Override
  public void forceDirectory(Path directory) {}
}
