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
package org.orcagrid.geo.forward;

import java.util.function.Supplier;
import org.orcagrid.geo.PositionVector;
import org.orcagrid.geo.replica.RemoteWrite;
import org.orcagrid.geo.replica.StoredVersion;

/** The replica and the log that a forwarder tells others of. */
public interface Source {
  /** The last entry that the replica has applied. */
  long applied();

  /** The first entry that the log still has. */
  long first();

  /** The position of the last write that it has no more. */
  long compactedWrite();

  /** Whether an entry that the log has is a client's write. */
  boolean isWrite(long index);

  /**
   * A client's write in the form that other datacenters get.
   *
   * @param previous the position of the write before
   */
  RemoteWrite write(long index, long previous);

  /** How long the command of an entry that the log has is, in bytes. */
  int bytes(long index);

  /** The position of an entry. */
  long position(long index);

  /** How far the replica has come. */
  PositionVector stable();

  /** Datacenters that are being removed, or are: a bit for each. */
  int fenced();

  /** The replica's versions, one after the other, then null. */
  Supplier<StoredVersion> versions();
}
