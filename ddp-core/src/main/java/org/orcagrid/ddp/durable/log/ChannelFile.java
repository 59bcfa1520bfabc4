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
package org.orcagrid.ddp.durable.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.orcagrid.ddp.durable.segment.SegmentFile;

/** A file that is written by position and forced as a whole. */
final class ChannelFile implements SegmentFile {
  private final Path path;
  private final FileChannel channel;

  ChannelFile(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  @Override
  public int size() throws IOException {
    // A longer one is not ours, and only its beginning is looked at.
    return (int) Math.min(Integer.MAX_VALUE, channel.size());
  }

  @Override
  public void read(ByteBuffer into, int position) throws IOException {
    long at = position;
    int count = 0;
    try {
      while (into.hasRemaining() && count >= 0) {
        count = channel.read(into, at);
        at += count;
      }
    } catch (IOException e) {
      throw failed("read", e);
    }
  }

  @Override
  public void write(ByteBuffer from, int position) throws IOException {
    long at = position;
    try {
      while (from.hasRemaining()) {
        at += channel.write(from, at);
      }
    } catch (IOException e) {
      throw failed("write", e);
    }
  }

  @Override
  public void force(int position, int bytes) throws IOException {
    try {
      // The length is part of what is needed to read the bytes, so it is forced with them.
      channel.force(false);
    } catch (IOException e) {
      throw failed("force", e);
    }
  }

  private IOException failed(String what, IOException cause) {
    String reason =
        cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    return new IOException("Cannot " + what + " " + path + " (" + reason + ")", cause);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
