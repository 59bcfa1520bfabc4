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
import java.nio.ByteOrder;
import org.orcagrid.ddp.membership.Beat;
import org.orcagrid.ddp.worker.Frames;

/** The beats that a node's membership sends, as frames of a map that there is not. */
final class Beats {
  /** Frames of this map are beats; maps have numbers from 1. */
  static final int FRAMES = 0;

  private static final long LOOK_NANOS = 5_000_000;

  private final Views membership;
  private final Frames[] frames;
  private final Views.Beats sender = this::send;
  private final ByteBuffer bytes =
      ByteBuffer.allocateDirect(BeatCodec.BYTES).order(ByteOrder.LITTLE_ENDIAN);

  /** Whether a beat is dropped while something waits for its peer. */
  private final boolean drops;

  private long lookedNanos;

  private Beats(Views membership, Frames[] frames, boolean drops, long nowNanos) {
    this.membership = membership;
    this.frames = frames;
    this.drops = drops;
    this.lookedNanos = nowNanos;
  }

  /** Beats over links that have much else to carry: they wait for their turn. */
  static Beats waiting(Views membership, Frames[] frames, long nowNanos) {
    return new Beats(membership, frames, false, nowNanos);
  }

  /** Beats over links of their own: what a peer has not taken yet is as good as the next one. */
  static Beats dropping(Views membership, Frames[] frames, long nowNanos) {
    return new Beats(membership, frames, true, nowNanos);
  }

  /** Has the membership look at the time, if it has not for a while. */
  void look(long nowNanos, long stoodNanos) {
    if (nowNanos - lookedNanos >= LOOK_NANOS) {
      lookedNanos = nowNanos;
      membership.tick(sender, stoodNanos);
    }
  }

  private void send(int peer, Beat beat) {
    if (drops && frames[peer].isWaiting()) {
      return;
    }
    BeatCodec.encode(beat, bytes.clear());
    frames[peer].send(FRAMES, bytes.flip());
  }
}
