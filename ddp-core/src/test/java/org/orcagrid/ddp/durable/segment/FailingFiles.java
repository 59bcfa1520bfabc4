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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Files on a device that fails after so many writes and forces, and does so from then on. */
public final class FailingFiles implements SegmentFiles {
  private final SegmentFiles files;
  private final AtomicInteger left;

  /** The same files as {@code files}, for so many operations. */
  public FailingFiles(SegmentFiles files, int operations) {
    this.files = files;
    this.left = new AtomicInteger(operations);
  }

  private void count() throws IOException {
    if (left.getAndDecrement() <= 0) {
      throw new IOException("Input/output error");
    }
  }

  @Override
  public List<String> list() throws IOException {
    return files.list();
  }

  @Override
  public SegmentFile open(String name) throws IOException {
    return new FailingFile(files.open(name));
  }

  @Override
  public SegmentFile allocate(String name, int bytes) throws IOException {
    return new FailingFile(files.allocate(name, bytes));
  }

  @Override
  public void syncFolder() throws IOException {
    count();
    files.syncFolder();
  }

  @Override
  public String path(String name) {
    return files.path(name);
  }

  @Override
  public void close() throws IOException {
    files.close();
  }

  private final class FailingFile implements SegmentFile {
    private final SegmentFile file;

    private FailingFile(SegmentFile file) {
      this.file = file;
    }

    @Override
    public int size() throws IOException {
      return file.size();
    }

    @Override
    public void read(ByteBuffer into, int position) throws IOException {
      file.read(into, position);
    }

    @Override
    public void write(ByteBuffer from, int position) throws IOException {
      count();
      file.write(from, position);
    }

    @Override
    public void force(int position, int bytes) throws IOException {
      count();
      file.force(position, bytes);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
