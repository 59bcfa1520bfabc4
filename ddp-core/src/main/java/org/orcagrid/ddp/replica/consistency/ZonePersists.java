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
package org.orcagrid.ddp.replica.consistency;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Persistency;
import org.orcagrid.ddp.replica.log.Journal;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.log.PeerMedia;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ReplicaState;
import org.orcagrid.ddp.replica.wire.Links;
import org.orcagrid.ddp.replica.wire.ReplicaMessage;

/**
 * Puts records into the durable media of peers without asking their processors: an update command
 * that guarantees, when it is acknowledged, that remote non-volatile memory has it (DDP, section 7,
 * after SNIA's proposals). What is put there lands in a zone of the peer's that only this node
 * writes to; the peer's log takes it from there, later.
 *
 * <p>It takes the peer's log off the way of a write, and no more: the peer still gets each version
 * by message, and acknowledges it as soon as it is in its volatile copy. Where there is no zone, or
 * it is full, messages do all.
 *
 * <p>It serves the models in which others wait for a peer's log: strict persistency, and
 * synchronous where consistency invalidates. Not eventual consistency, where a strict write that
 * has completed is visible at all nodes since all logs have it. Not release consistency, whose
 * order is that of the log: what lands could overtake what does not. And not transactions, whose
 * writes are one record at their end.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>what counts as durable at a peer was flushed there, and the peer has said that it keeps it,
 *       or its log has it;
 *   <li>a peer keeps what it has said it keeps until its log has that;
 *   <li>what is in a zone when a node begins another life comes into its log, before anything else
 *       does.
 * </ol>
 */
public final class ZonePersists {
  private final ReplicaState state;
  private final Links links;
  private final Journal journal;
  private final PeerMedia media;
  private final boolean used;

  /** What this node has put into each peer's zone, by position there, and is not settled. */
  private final List<NavigableMap<Long, Put>> puts = new ArrayList<>();

  /** Up to where this node's log has what each peer has put here, and from where it has gone. */
  private final long[] logged;

  private final long[] gone;

  private static final class Put {
    private final IntConsumer durable;
    private boolean flushed;
    private boolean kept;

    private Put(IntConsumer durable) {
      this.durable = durable;
    }
  }

  /** What a node that has put nothing knows of zones anywhere. */
  public ZonePersists(ReplicaState state, Links links, Journal journal, PeerMedia media) {
    this.state = state;
    this.links = links;
    this.journal = journal;
    this.media = media;
    this.used = isFor(state.model().consistency(), state.persistency());
    this.logged = new long[state.nodes()];
    this.gone = new long[state.nodes()];
    for (int node = 0; node < state.nodes(); node++) {
      puts.add(new TreeMap<>());
    }
  }

  private static boolean isFor(Consistency consistency, Persistency persistency) {
    return switch (consistency) {
      case LINEARIZABLE, READ_ENFORCED -> persistency.isBeforeVisible();
      case CAUSAL -> persistency.isBeforeCompletion();
      case EVENTUAL, TRANSACTIONAL, RELEASE -> false;
    };
  }

  /** Whether the model has a use for zones. */
  boolean areUsed() {
    return used;
  }

  // --- who puts ----------------------------------------------------------------------------------

  /**
   * Sends a message to all, and puts its record into the zones of those who serve.
   *
   * @param durable is told of each peer that has the record durable, as far as that is known from
   *     its zone; perhaps more than once
   */
  void broadcast(ReplicaMessage message, LogRecord record, IntConsumer durable) {
    for (int peer = 0; peer < puts.size(); peer++) {
      long position = used && mayPut(peer) ? media.land(peer, record) : 0;
      if (position == 0) {
        links.send(peer, message);
        continue;
      }
      Put put = new Put(durable);
      puts.get(peer).put(position, put);
      links.send(peer, new ReplicaMessage.Landed(position, message));
      put.flushed = !state.keeps(ReplicaRule.PUT_WHEN_FLUSHED);
      put.kept = !state.keeps(ReplicaRule.PUT_WHEN_KEPT);
    }
  }

  /** A peer that learns yet may give up what is in its log. */
  private boolean mayPut(int peer) {
    return peer != state.self() && state.view().serves(peer);
  }

  /**
   * All that was put into a peer's zone up to this position, in the zone's present life, is durable
   * there. What was put before the way broke may never have arrived: the peer's log settles it.
   */
  public void onFlushed(int peer, long position) {
    NavigableMap<Long, Put> of = puts.get(peer);
    for (long each : List.copyOf(of.headMap(position, true).keySet())) {
      if (PeerMedia.areOfOneLife(each, position)) {
        of.get(each).flushed = true;
        settle(peer, each);
      }
    }
  }

  /** A message has come; whether it is about zones. */
  public boolean onMessage(int from, ReplicaMessage message) {
    if (message instanceof ReplicaMessage.Kept kept) {
      Put put = puts.get(from).get(kept.position());
      if (put != null) {
        put.kept = true;
        settle(from, kept.position());
      }
    } else if (message instanceof ReplicaMessage.Taken upTo) {
      NavigableMap<Long, Put> over = puts.get(from).headMap(upTo.position(), true);
      List<Put> durable = List.copyOf(over.values());
      over.clear();
      media.freed(from, upTo.position());
      durable.forEach(put -> put.durable.accept(from));
    } else {
      return false;
    }
    return true;
  }

  private void settle(int peer, long position) {
    Put put = puts.get(peer).get(position);
    if (put.flushed && put.kept) {
      puts.get(peer).remove(position);
      put.durable.accept(peer);
    }
  }

  // --- who is put to -----------------------------------------------------------------------------

  /**
   * A message has come whose record was put here. If it stays until the log has it, its sender is
   * told so, and need not wait for the log.
   *
   * @param position in the zone, 0 if there is nothing
   */
  boolean keeps(int from, long position) {
    boolean kept =
        position != 0 && (media.keepsPut(from, position) || !state.keeps(ReplicaRule.PUT_IS_KEPT));
    if (kept) {
      links.send(from, new ReplicaMessage.Kept(position));
    }
    return kept;
  }

  /** The log has what was put here at a position, and at all before. */
  void logged(int from, long position) {
    logged[from] = Math.max(logged[from], position);
  }

  /** The record at a position is of no use: it goes when the log has all that came before it. */
  void drop(int from, long position) {
    if (position != 0) {
      journal.afterAll(() -> logged(from, position));
    }
  }

  // --- for both ----------------------------------------------------------------------------------

  /** Time has passed: gives up what the log has. */
  public void tick() {
    for (int peer = 0; peer < logged.length; peer++) {
      if (logged[peer] > gone[peer] && media.taken(peer, logged[peer])) {
        gone[peer] = logged[peer];
        links.send(peer, new ReplicaMessage.Taken(gone[peer]));
      }
    }
  }

  /** Whether nothing is left in this node's zones of what its log has. */
  public boolean isClean() {
    return Arrays.equals(logged, gone);
  }

  /** The first two invariants, of what this node knows. */
  public void checkInvariants() {
    for (int peer = 0; peer < logged.length; peer++) {
      Invariant.check(
          gone[peer] <= logged[peer],
          "what has gone from a zone is in the log",
          "gone",
          gone[peer],
          "logged",
          logged[peer]);
      Invariant.check(
          puts.get(peer).values().stream().noneMatch(put -> put.flushed && put.kept),
          "what was flushed and is kept counts as durable");
    }
    Invariant.check(
        used || puts.stream().allMatch(NavigableMap::isEmpty), "only models that use zones do");
  }

  /** A node has gone, or has begun another life. */
  public void forget(int node) {
    puts.get(node).clear();
  }

  @Override
  public String toString() {
    return puts.stream().map(NavigableMap::keySet).toList() + ", logged " + Arrays.toString(logged);
  }
}
