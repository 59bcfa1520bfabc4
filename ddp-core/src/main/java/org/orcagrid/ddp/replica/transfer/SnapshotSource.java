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
import org.orcagrid.ddp.replica.wire.PacketCodec;
import org.orcagrid.ddp.replica.wire.ReplicaMessage;
import org.orcagrid.ddp.transfer.Budget;
import org.orcagrid.ddp.transfer.Outlet;

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
  private final Outlet outlet;

  /** By receiver. */
  private final Map<Integer, Sending> sendings = new HashMap<>();

  private static final class Sending {
    private final int transfer;
    private final int life;
    private final Entries.Cursor cursor;
    private final long[] since;
    private boolean ended;

    private Sending(int transfer, int life, Entries.Cursor cursor, long[] since) {
      this.transfer = transfer;
      this.life = life;
      this.cursor = cursor;
      this.since = since;
    }
  }

  SnapshotSource(ReplicaState state, Links links, TransferSteps consistency, Budget budget) {
    this.state = state;
    this.links = links;
    this.consistency = consistency;
    this.outlet = new Outlet(state.nodes(), budget);
  }

  /** Ends snapshots for those who have gone or have caught up. */
  void onView() {
    sendings
        .entrySet()
        .removeIf(
            each -> {
              int receiver = each.getKey();
              boolean ends =
                  state.view().serves(receiver)
                      || state.view().incarnations().get(receiver) != each.getValue().life;
              if (ends) {
                outlet.begin(receiver);
              }
              return ends;
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
    if (sending.transfer == ask.transfer() && !sending.ended) {
      outlet.ask(receiver, ask.pages());
    }
  }

  /** How long it is until a page may be told. */
  long nanosToTell(long nowNanos) {
    return outlet.nanosToTell(nowNanos);
  }

  /** Whether a page waits for its time. */
  boolean isWaiting() {
    return outlet.isWaiting();
  }

  /** Tells what was asked for and may be told now. */
  void tell(long nowNanos) {
    if (outlet.isWaiting()) {
      outlet.tell(nowNanos, this::tellPage);
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
    outlet.begin(receiver);
    consistency.onSnapshotBegins(receiver);
    return begun;
  }

  private long tellPage(int receiver) {
    Sending sending = sendings.get(receiver);
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
    ReplicaMessage.State page =
        new ReplicaMessage.State(
            sending.transfer, state.entries().size(), List.copyOf(versions), List.copyOf(scoped));
    links.send(receiver, page);
    if (sending.ended) {
      outlet.begin(receiver);
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
    return PacketCodec.bytes(page);
  }

  private static int what(Entry entry) {
    return (entry.isValid() ? ReplicaMessage.CONSISTENCY : 0)
        | (entry.isDurable() ? ReplicaMessage.PERSISTENCY : 0);
  }
}
