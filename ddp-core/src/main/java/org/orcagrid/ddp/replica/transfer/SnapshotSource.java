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
package org.orcagrid.ddp.replica.transfer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.replica.state.Encoding;
import org.orcagrid.ddp.replica.state.Entries;
import org.orcagrid.ddp.replica.state.Entry;
import org.orcagrid.ddp.replica.state.ReplicaState;
import org.orcagrid.ddp.replica.state.TransferSteps;
import org.orcagrid.ddp.replica.state.Write;
import org.orcagrid.ddp.replica.wire.Links;
import org.orcagrid.ddp.replica.wire.ReplicaMessage;

/**
 * Sends this node's versions to members that catch up, page by page, and not more pages than they
 * have asked for.
 *
 * <p>The pages have every entry that was there when they began, in the version that it has when its
 * page is made. What becomes visible here meanwhile the receiver knows by other ways, since it is a
 * member: from its coordinator, from who stands in for that one, or from {@link
 * TransferSteps#onSnapshotEnds}.
 */
final class SnapshotSource {
  private final ReplicaState state;
  private final Links links;
  private final TransferSteps consistency;

  /** By receiver. */
  private final Map<Integer, Sending> sendings = new HashMap<>();

  private static final class Sending {
    private final int transfer;
    private final int life;
    private final Entries.Cursor cursor;
    private final long[] since;
    private int pages;
    private boolean ended;

    private Sending(int transfer, int life, Entries.Cursor cursor, long[] since) {
      this.transfer = transfer;
      this.life = life;
      this.cursor = cursor;
      this.since = since;
    }
  }

  SnapshotSource(ReplicaState state, Links links, TransferSteps consistency) {
    this.state = state;
    this.links = links;
    this.consistency = consistency;
  }

  /** Ends snapshots for those who have gone or have caught up. */
  void onView() {
    sendings
        .entrySet()
        .removeIf(
            each -> {
              int receiver = each.getKey();
              return state.view().serves(receiver)
                  || state.view().incarnations().get(receiver) != each.getValue().life;
            });
  }

  /** What goes to a member is for its life, in a transfer that it has begun. */
  void checkInvariants() {
    sendings.forEach(
        (receiver, sending) -> {
          Invariant.check(
              sending.life == state.view().incarnations().get(receiver),
              "a snapshot is for a life in the view");
          Invariant.check(
              sending.transfer <= state.view().number(),
              "a transfer has begun in a view that was",
              "transfer",
              sending.transfer,
              "view",
              state.view().number());
        });
  }

  void onAsk(int receiver, ReplicaMessage.StateAsk ask) {
    Sending sending = sendings.get(receiver);
    if (sending == null || sending.transfer < ask.transfer()) {
      sending = begin(receiver, ask.transfer());
    }
    while (sending.transfer == ask.transfer() && !sending.ended && sending.pages < ask.pages()) {
      tellPage(receiver, sending);
    }
  }

  private Sending begin(int receiver, int transfer) {
    Sending begun =
        new Sending(
            transfer,
            state.view().incarnations().get(receiver),
            state.entries().cursor(),
            consistency.visible().clone());
    sendings.put(receiver, begun);
    consistency.onSnapshotBegins(receiver);
    return begun;
  }

  private void tellPage(int receiver, Sending sending) {
    List<ReplicaMessage.Known> versions = new ArrayList<>();
    List<Write> scoped = new ArrayList<>();
    int bytes = 0;
    while (bytes < state.settings().limits().pageBytes()) {
      Entry entry = sending.cursor.next();
      if (entry == null) {
        sending.ended = true;
        break;
      }
      if (entry.hasVersion()) {
        Write write = entry.write();
        versions.add(new ReplicaMessage.Known(write, what(entry)));
        bytes += Encoding.bytes(write);
      }
      if (entry.hasScoped()) {
        Write persisted = entry.scoped();
        scoped.add(persisted);
        bytes += Encoding.bytes(persisted);
      }
    }
    sending.pages++;
    links.send(
        receiver,
        new ReplicaMessage.State(sending.transfer, List.copyOf(versions), List.copyOf(scoped)));
    if (sending.ended) {
      consistency.onSnapshotEnds(receiver);
      links.send(
          receiver,
          new ReplicaMessage.StateEnd(
              sending.transfer,
              state.highestClock(),
              state.forgottenClock(),
              sending.since,
              consistency.visible().clone()));
    }
  }

  private static int what(Entry entry) {
    return (entry.isValid() ? ReplicaMessage.CONSISTENCY : 0)
        | (entry.isDurable() ? ReplicaMessage.PERSISTENCY : 0);
  }
}
