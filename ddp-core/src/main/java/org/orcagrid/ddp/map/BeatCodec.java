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

import java.nio.ByteBuffer;
import org.orcagrid.ddp.membership.Beat;
import org.orcagrid.ddp.transport.MalformedPacketException;

/** Beats of the membership as bytes. */
final class BeatCodec {
  /** How long a beat is. */
  static final int BYTES = 2 * Integer.BYTES + 5 * Long.BYTES;

  private BeatCodec() {}

  /** Writes a beat at the position of {@code into}, which moves behind it. */
  static void encode(Beat beat, ByteBuffer into) {
    into.putInt(beat.view()).putInt(beat.hears());
    into.putLong(beat.from()).putLong(beat.to());
    into.putLong(beat.stampNanos()).putLong(beat.grantNanos()).putLong(beat.round());
  }

  /**
   * Reads what {@link #encode} has written into a buffer of the same byte order.
   *
   * @throws MalformedPacketException if there are not as many bytes as a beat has
   */
  static Beat decode(ByteBuffer bytes) {
    if (bytes.remaining() != BYTES) {
      throw new MalformedPacketException(
          "A beat has " + BYTES + " bytes, and not " + bytes.remaining());
    }
    int view = bytes.getInt();
    int hears = bytes.getInt();
    return new Beat(
        view,
        bytes.getLong(),
        bytes.getLong(),
        bytes.getLong(),
        bytes.getLong(),
        hears,
        bytes.getLong());
  }
}
