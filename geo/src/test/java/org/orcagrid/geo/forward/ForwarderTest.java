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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.orcagrid.geo.GeoRule;
import org.orcagrid.geo.PositionVector;
import org.orcagrid.geo.Positions;
import org.orcagrid.geo.Version;
import org.orcagrid.geo.message.GeoMessage;
import org.orcagrid.geo.replica.Command;
import org.orcagrid.geo.replica.MergeStream;
import org.orcagrid.geo.replica.RemoteWrite;
import org.orcagrid.geo.replica.StoredVersion;

/** A forwarder that sends state, when a datacenter is fenced meanwhile. */
class ForwarderTest {
  private static final int VERSIONS = 12;
  private static final int NODE = 3;

  /** A replica whose log has nothing any more. */
  private static class Late implements Source {
    private int fenced;

    @Override
    public long applied() {
      return VERSIONS;
    }

    @Override
    public long first() {
      return VERSIONS + 1;
    }

    @Override
    public long compactedWrite() {
      return position(VERSIONS);
    }

    @Override
    public boolean isWrite(long index) {
      return false;
    }

    @Override
    public RemoteWrite write(long index, long previous) {
      throw new AssertionError("there is none");
    }

    @Override
    public int bytes(long index) {
      throw new AssertionError("there is none");
    }

    @Override
    public long position(long index) {
      return Positions.of(1, index);
    }

    @Override
    public PositionVector stable() {
      return PositionVector.of(position(VERSIONS));
    }

    @Override
    public int fenced() {
      return fenced;
    }

    @Override
    public Supplier<StoredVersion> versions() {
      int[] next = {0};
      return () -> {
        next[0]++;
        byte[] key = ("k" + next[0]).getBytes(StandardCharsets.UTF_8);
        Version version = new Version(next[0], 0, position(next[0]));
        return next[0] > VERSIONS ? null : new StoredVersion(key, new byte[64 << 10], version);
      };
    }
  }

  /** A replica whose log has its second half: each other entry is a write of a hundred bytes. */
  private static final class Logged extends Late {
    @Override
    public long first() {
      return VERSIONS / 2 + 1;
    }

    @Override
    public boolean isWrite(long index) {
      return index % 2 == 0;
    }

    @Override
    public int bytes(long index) {
      return 100;
    }

    @Override
    public RemoteWrite write(long index, long previous) {
      return new RemoteWrite(previous, position(index), index, new byte[1], new byte[64]);
    }
  }

  /** What was said to be fenced by the parts of a state that was begun before anything was. */
  private static List<Integer> fencedInParts(Set<GeoRule> rules) {
    Late source = new Late();
    List<Command.Merged> parts = new ArrayList<>();
    Forwarder forwarder =
        new Forwarder(
            0,
            1,
            source,
            rules,
            (message, to) -> {
              if (message instanceof GeoMessage.Merge merge) {
                parts.add(merge.part());
              }
            });
    forwarder.add(1, new int[] {NODE}, 0);
    progress(forwarder, MergeStream.NONE, 0);
    assertTrue(!parts.isEmpty() && !parts.get(parts.size() - 1).last(), "some parts were sent");
    source.fenced = 1 << 2;
    MergeStream stream = parts.get(0).stream();
    while (!parts.get(parts.size() - 1).last()) {
      progress(forwarder, stream, parts.size());
    }
    return parts.stream().map(Command.Merged::fenced).distinct().toList();
  }

  private static void progress(Forwarder forwarder, MergeStream stream, int parts) {
    forwarder.onProgress(
        1, NODE, new GeoMessage.Progress(PositionVector.NONE, false, stream, parts, 0), 0);
  }

  private static List<Forwarder.Behind> behind(int acknowledged) {
    Logged source = new Logged();
    Forwarder forwarder = new Forwarder(0, 1, source, GeoRule.all(), (message, to) -> {});
    forwarder.add(1, new int[] {NODE}, 0);
    assertEquals(List.of(), forwarder.behind());
    PositionVector there = PositionVector.of(source.position(acknowledged));
    forwarder.onProgress(1, NODE, new GeoMessage.Progress(there, false, MergeStream.NONE, 0, 0), 0);
    return forwarder.behind();
  }

  @Test
  void whatIsNotAcknowledgedIsCountedWhereTheLogHasIt() {
    assertEquals(List.of(new Forwarder.Behind(1, 0, 0)), behind(VERSIONS));
    assertEquals(List.of(new Forwarder.Behind(1, 4, 200)), behind(VERSIONS - 4));
    int half = VERSIONS / 2;
    int writes = VERSIONS / 2 - half / 2;
    assertEquals(List.of(new Forwarder.Behind(1, VERSIONS - 1, 100L * writes)), behind(1));
  }

  @Test
  void stateThatWasBegunBeforeAFenceDoesNotCountForIt() {
    assertEquals(List.of(0), fencedInParts(GeoRule.all()));
    assertEquals(List.of(0, 1 << 2), fencedInParts(GeoRule.without(GeoRule.HANDED_BEHIND_FENCE)));
  }
}
