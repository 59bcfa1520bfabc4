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

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The file of a segment. */
public interface SegmentFile extends Closeable {

  /** How long it is, in bytes. */
  int size() throws IOException;

  /** Reads from {@code position} on until {@code into} is full or the file ends. */
  void read(ByteBuffer into, int position) throws IOException;

  /** Writes all of {@code from}, within the length of the file. */
  void write(ByteBuffer from, int position) throws IOException;

  /**
   * Returns when what was written to these bytes, and the length of the file, survive a power cut.
   * After a failure nobody knows which of them do.
   */
  void force(int position, int bytes) throws IOException;
}
