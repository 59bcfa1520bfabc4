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

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.orcagrid.ddp.membership.Beat;
import org.orcagrid.ddp.membership.Membership;
import org.orcagrid.ddp.membership.PeerLease;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;

/**
 * Whoever agrees on views of the maps' nodes, as a node sees it; {@link Membership} says what is
 * promised. Safe for use by many threads.
 */
public interface Views extends AutoCloseable {

  /** What a node is told; by one thread at a time, and never from within a call of its own. */
  interface Member {
    /** There is a view, of which this node is a member; every one after the first that it was. */
    void onView(AgreedView view);

    /**
     * This life of the node is left out, or cannot know whether it is: what it has is of no use any
     * more. It may join again.
     */
    void onLeft(String reason);

    /** Nobody agrees on views any more, for this reason: the node ends. By any thread. */
    void onFailed(Throwable reason);
  }

  /** The way of beats to the other nodes. */
  @FunctionalInterface
  interface Beats {
    /** Sends a beat; it may be lost. */
    void send(int peer, Beat beat);
  }

  /** The node's place among the nodes, from 0; the same for as long as its media are. */
  int place();

  /** Tells the grid from others of the same name; 0 if there can be none. */
  long grid();

  /**
   * The newest view that is known, of which this node need not be a member; others may follow it
   * unseen. Empty if none is known.
   */
  Optional<AgreedView> newest();

  /**
   * Registers a life of the node, which becomes a member some time. The last one was left or never
   * was.
   *
   * @throws IOException if nobody can be asked, saying what is in the way
   */
  void join(Member member) throws IOException, InterruptedException;

  /**
   * Looks at the time; several times a beat, by the thread that sends beats, which are sent before
   * this returns.
   *
   * @param stoodNanos how long a worker of the node has done nothing, the longest of them
   */
  void tick(Beats beats, long stoodNanos);

  /** A beat has arrived. */
  void onBeat(int from, Beat beat);

  /** The connection to a peer is gone: a hint that it may be. */
  void onDisconnected(int peer);

  /** The node has caught up in a view. */
  void caughtUp(int view);

  /**
   * The node has caught up with what was acknowledged before a place began to leave; to be called
   * again in each view while it leaves. Does not block.
   *
   * @param since the number of the view in which it began to leave
   */
  void refreshed(int since);

  /**
   * All processes have marked removed keys in this view: asks for the next one to be a purge view.
   * What comes of it is seen by the next view. Does not block.
   */
  void wantPurge(int view);

  /**
   * This node serves no map any more whose copies were to be given up in a view ({@link
   * org.orcagrid.ddp.membership.Shares}).
   */
  void gaveUp(int view);

  /**
   * Up to when, by {@link System#nanoTime}, nobody goes on without this node: what it has found out
   * before that time may still be told to a client.
   */
  long servesUntilNanos();

  /** What this node knows of the other members of its view; none where nobody is suspected. */
  List<PeerLease> peers();

  /**
   * Adds a map, or finds the one that is there.
   *
   * @throws IllegalStateException if there is a map of this name and another model
   * @throws IOException if that cannot be agreed on in time
   */
  MapDefinition define(String name, Ddp model, Conflicts conflicts, int copies)
      throws IOException, InterruptedException;

  /**
   * Removes a map and all that is in it, at all nodes, for good.
   *
   * @throws IOException if that cannot be agreed on in time
   */
  void remove(String name) throws IOException, InterruptedException;

  /** Leaves: this life of the node ends. */
  @Override
  void close();
}
