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

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.orcagrid.geo.Version;
import org.orcagrid.geo.wire.Decoder;
import org.orcagrid.geo.wire.Encoder;

/**
 * What came of writes that may be tried again, so that each takes effect once. Part of the
 * replicated state.
 *
 * <p>Invariant: what is forgotten has expired, and a leader refuses writes that have.
 */
final class Writers {
  /** By session; first the one that has not written for longest. */
  private final LinkedHashMap<Long, Writer> writers = new LinkedHashMap<>(16, 0.75f, true);

  /** A session. */
  private static final class Writer {
    private long floor;
    private long expires;
    private final TreeMap<Long, Outcome> outcomes = new TreeMap<>();
  }

  /** What came of a write before; null if it was not tried. */
  Outcome find(WriteId id) {
    Writer writer = writers.get(id.session());
    if (writer == null) {
      return null;
    }
    Outcome known = writer.outcomes.get(id.number());
    return known == null && id.number() < writer.floor
        ? new Outcome(Outcome.Result.FORGOTTEN, Version.NONE)
        : known;
  }

  /** Keeps what came of a write until it has expired, or its session says that it knows. */
  void add(WriteId id, long expires, Outcome outcome) {
    Writer writer = writers.computeIfAbsent(id.session(), key -> new Writer());
    writer.floor = Math.max(writer.floor, id.floor());
    writer.expires = Math.max(writer.expires, expires);
    writer.outcomes.headMap(writer.floor).clear();
    writer.outcomes.put(id.number(), outcome);
  }

  /** Writes with this timestamp are applied. */
  void forget(long time) {
    Iterator<Writer> oldest = writers.values().iterator();
    while (oldest.hasNext() && oldest.next().expires < time) {
      oldest.remove();
    }
  }

  int size() {
    return writers.size();
  }

  void write(Encoder out) {
    out.putNumber(writers.size());
    for (Map.Entry<Long, Writer> each : writers.entrySet()) {
      Writer writer = each.getValue();
      out.putLong(each.getKey()).putNumber(writer.floor).putNumber(writer.expires);
      out.putNumber(writer.outcomes.size());
      for (Map.Entry<Long, Outcome> outcome : writer.outcomes.entrySet()) {
        out.putNumber(outcome.getKey());
        outcome.getValue().write(out);
      }
    }
  }

  void read(Decoder in) {
    writers.clear();
    for (long left = in.getNumber(); left > 0; left--) {
      Writer writer = new Writer();
      writers.put(in.getLong(), writer);
      writer.floor = in.getNumber();
      writer.expires = in.getNumber();
      for (long outcomes = in.getNumber(); outcomes > 0; outcomes--) {
        writer.outcomes.put(in.getNumber(), Outcome.read(in));
      }
    }
  }
}
