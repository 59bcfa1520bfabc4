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

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** What was appended and is not in the map yet, in its order. The owner guards it. */
final class Gathered {
  private final RecordKeys keys;
  private final List<Item> items = new ArrayList<>();
  private long bytes;

  Gathered(RecordKeys keys) {
    this.keys = keys;
  }

  /** Sorts a record and keeps what is to be kept. */
  void add(long position, ByteBuffer record) {
    int[] part = {0};
    keys.sort(
        record.slice(),
        new RecordKeys.Kept() {
          @Override
          public void latest(ByteBuffer key, long order, ByteBuffer kept) {
            add(Item.latest(position, part[0]++, key, order, kept));
          }

          @Override
          public void untilTrimmed(ByteBuffer kept) {
            add(Item.untilTrimmed(position, part[0]++, kept));
          }
        });
  }

  private void add(Item item) {
    items.add(item);
    bytes += item.bytes();
  }

  /** Lets the keys see a record that is in the map already. */
  void see(ByteBuffer record) {
    keys.sort(
        record,
        new RecordKeys.Kept() {
          @Override
          public void latest(ByteBuffer key, long order, ByteBuffer kept) {
            // It was kept before.
          }

          @Override
          public void untilTrimmed(ByteBuffer kept) {
            // It was kept before.
          }
        });
  }

  long bytes() {
    return bytes;
  }

  /** All up to a position. */
  List<Item> upTo(long position) {
    int end = 0;
    while (end < items.size() && items.get(end).position() <= position) {
      end++;
    }
    return List.copyOf(items.subList(0, end));
  }

  /** Forgets all up to a position. */
  void forget(long position) {
    List<Item> gone = upTo(position);
    for (Item each : gone) {
      bytes -= each.bytes();
    }
    items.subList(0, gone.size()).clear();
  }
}
