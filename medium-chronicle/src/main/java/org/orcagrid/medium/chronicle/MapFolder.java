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
package org.orcagrid.medium.chronicle;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * All that a medium does with the files of its maps, but for what Chronicle Map does itself; tests
 * put a folder in its place that loses what was not forced.
 */
interface MapFolder extends Closeable {

  /** The file with a number. */
  Path path(int file);

  /** How long it is; -1 if there is none. */
  long size(int file) throws IOException;

  /** The CRC32C of the first bytes of a file, where Chronicle Map has its own records. */
  int head(int file) throws IOException;

  /** Makes one file like another one. Not durable. */
  void copy(int from, int to) throws IOException;

  /** Deletes a file, if there is one. Not durable. */
  void delete(int file) throws IOException;

  /** Returns when a file will be found as it is after a power cut. */
  void force(int file) throws IOException;

  /** What {@link #writeManifest} was given last; null if nothing. */
  ByteBuffer readManifest() throws IOException;

  /** Puts a manifest in the place of the one before, durably: there is one or the other. */
  void writeManifest(ByteBuffer manifest) throws IOException;

  /** Where a file is, or the folder for an empty name: for messages. */
  String path(String name);
}
