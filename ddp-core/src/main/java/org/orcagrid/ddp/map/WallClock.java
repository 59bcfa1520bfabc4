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
import java.util.function.LongSupplier;
import org.orcagrid.ddp.replica.state.ValueTime;

/** What a node of maps knows of the time of day. Asked by many threads. */
public interface WallClock {
  /** Of a node that does not know the time, and whose values stay. */
  WallClock NONE =
      new WallClock() {
        @Override
        public long nowMillis() {
          return 0;
        }

        @Override
        public ValueTime values() {
          return ValueTime.NEVER;
        }
      };

  /** Of a node that knows it, in milliseconds since 1970. */
  static WallClock of(LongSupplier now) {
    return new WallClock() {
      @Override
      public long nowMillis() {
        return now.getAsLong();
      }

      @Override
      public ValueTime values() {
        return new ValueTime() {
          @Override
          public long leftMillis(long clock, ByteBuffer value) {
            long moment = Lifetime.moment(value);
            // Most stay, and nobody asks for the time.
            return moment == Long.MAX_VALUE ? moment : Math.max(0, moment - nowMillis());
          }

          @Override
          public boolean mayEnd(byte[] value) {
            return Lifetime.ends(value);
          }
        };
      }
    };
  }

  /** Milliseconds since 1970; 0 if they are not known. Logs are marked with them. */
  long nowMillis();

  /** Says how long values stay: one whose time is over is taken away some time. */
  ValueTime values();
}
