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
package org.orcagrid.geo.message;

import org.orcagrid.ddp.transport.MalformedPacketException;
import org.orcagrid.geo.PositionVector;
import org.orcagrid.geo.Positions;
import org.orcagrid.geo.replica.CommandCodec;
import org.orcagrid.geo.replica.MergeStream;
import org.orcagrid.geo.wire.Decoder;
import org.orcagrid.geo.wire.Encoder;

/** The bytes of {@link GeoMessage messages}. */
public final class MessageCodec {
  private static final int REPLICATE = 1;
  private static final int MERGE = 2;
  private static final int PROGRESS = 3;
  private static final int NOT_LEADING = 4;
  private static final int REPORT = 5;
  private static final int STANDING = 6;

  private static final int NODES_MAX = 1 << 16;

  private MessageCodec() {}

  /** Writes a message. */
  public static void write(Encoder out, GeoMessage message) {
    if (message instanceof GeoMessage.Replicate replicate) {
      out.putByte(REPLICATE);
      CommandCodec.putReplicated(out, replicate.writes());
    } else if (message instanceof GeoMessage.Merge merge) {
      out.putByte(MERGE);
      CommandCodec.putMerged(out, merge.part());
    } else if (message instanceof GeoMessage.Progress progress) {
      out.putByte(PROGRESS);
      progress.stable().write(out);
      out.putBoolean(progress.gap());
      CommandCodec.putStream(out, progress.stream());
      out.putNumber(progress.parts()).putNumber(progress.handed());
    } else if (message instanceof GeoMessage.NotLeading not) {
      out.putByte(NOT_LEADING).putNumber(not.leader() + 1);
    } else if (message instanceof GeoMessage.Report report) {
      out.putByte(REPORT).putNumber(report.term()).putNumber(report.forwarder());
      report.low().write(out);
      out.putNumber(report.own()).putNumber(report.safePosition()).putNumber(report.safeTime());
      out.putNumber(report.applied()).putNumber(report.fenced());
    } else if (message instanceof GeoMessage.Standing standing) {
      out.putByte(STANDING);
      standing.stable().write(out);
      out.putNumber(standing.wallMillis());
    }
  }

  /**
   * Reads a message, up to the end of the bytes.
   *
   * @throws MalformedPacketException if it is none
   */
  public static GeoMessage read(Decoder in) {
    int kind = in.getByte();
    GeoMessage message =
        switch (kind) {
          case REPLICATE -> new GeoMessage.Replicate(CommandCodec.getReplicated(in));
          case MERGE -> new GeoMessage.Merge(CommandCodec.getMerged(in));
          case PROGRESS -> progress(in);
          case NOT_LEADING -> new GeoMessage.NotLeading(in.getInt(NODES_MAX) - 1);
          case REPORT ->
              new GeoMessage.Report(
                  in.getNumber(),
                  in.getInt(NODES_MAX),
                  PositionVector.read(in),
                  in.getNumber(),
                  in.getNumber(),
                  in.getNumber(),
                  in.getNumber(),
                  in.getInt(Positions.MASK_MAX));
          case STANDING -> new GeoMessage.Standing(PositionVector.read(in), in.getNumber());
          default -> throw new MalformedPacketException("There is no message " + kind);
        };
    in.end();
    return message;
  }

  private static GeoMessage.Progress progress(Decoder in) {
    PositionVector stable = PositionVector.read(in);
    boolean gap = in.getBoolean();
    MergeStream stream = CommandCodec.getStream(in);
    int parts = in.getInt(Integer.MAX_VALUE - 1);
    return new GeoMessage.Progress(stable, gap, stream, parts, in.getInt(Positions.MASK_MAX));
  }
}
