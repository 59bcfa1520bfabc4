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
package org.orcagrid.geo.replica;

import org.orcagrid.ddp.transport.MalformedPacketException;
import org.orcagrid.geo.Positions;
import org.orcagrid.geo.Version;
import org.orcagrid.geo.wire.Decoder;
import org.orcagrid.geo.wire.Encoder;

/**
 * What came of a client's write.
 *
 * @param result in a word
 * @param version of the write; if its condition did not hold, the version that was there instead
 */
public record Outcome(Result result, Version version) {

  /** What may come of a write. */
  public enum Result {
    /** It is in the store. A later version may have won already. */
    DONE(1),
    /** Its condition did not hold. */
    CONDITION_FAILED(2),
    /** It came too late to be done once for sure. */
    EXPIRED(3),
    /** It was answered before, and what the answer was is forgotten. */
    FORGOTTEN(4);

    private final int code;

    Result(int code) {
      this.code = code;
    }

    private static Result of(int code) {
      for (Result each : values()) {
        if (each.code == code) {
          return each;
        }
      }
      throw new MalformedPacketException("There is no outcome " + code);
    }
  }

  /** Writes it. */
  public void write(Encoder out) {
    out.putByte(result.code);
    out.putNumber(version.time()).putByte(version.datacenter()).putNumber(version.position());
  }

  /** Reads one. */
  public static Outcome read(Decoder in) {
    Result result = Result.of(in.getByte());
    long time = in.getNumber();
    int datacenter = in.getInt(Positions.DATACENTERS_MAX - 1);
    return new Outcome(result, new Version(time, datacenter, in.getNumber()));
  }
}
