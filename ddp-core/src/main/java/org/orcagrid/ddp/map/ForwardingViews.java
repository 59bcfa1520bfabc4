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
import org.orcagrid.ddp.membership.PeerLease;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;

/**
 * A membership that is another one, with something done beside; all is passed on unless overridden.
 */
public abstract class ForwardingViews implements Views {
  private final Views agreed;

  /** Passes on to this one. */
  protected ForwardingViews(Views agreed) {
    this.agreed = agreed;
  }

  @Override
  public int place() {
    return agreed.place();
  }

  /** There is a view; the member has not been told of it. */
  protected void beforeView(AgreedView view) {}

  @Override
  public Optional<AgreedView> newest() {
    return agreed.newest();
  }

  @Override
  public long grid() {
    return agreed.grid();
  }

  @Override
  public void join(Member member) throws IOException, InterruptedException {
    agreed.join(
        new Member() {
          @Override
          public void onView(AgreedView view) {
            beforeView(view);
            member.onView(view);
          }

          @Override
          public void onLeft(String reason) {
            member.onLeft(reason);
          }

          @Override
          public void onFailed(Throwable reason) {
            member.onFailed(reason);
          }
        });
  }

  @Override
  public void tick(Beats beats, long stoodNanos) {
    agreed.tick(beats, stoodNanos);
  }

  @Override
  public void onBeat(int from, Beat beat) {
    agreed.onBeat(from, beat);
  }

  @Override
  public void onDisconnected(int peer) {
    agreed.onDisconnected(peer);
  }

  @Override
  public void caughtUp(int view) {
    agreed.caughtUp(view);
  }

  @Override
  public void gaveUp(int view) {
    agreed.gaveUp(view);
  }

  @Override
  public void refreshed(int since) {
    agreed.refreshed(since);
  }

  @Override
  public void wantPurge(int view) {
    agreed.wantPurge(view);
  }

  @Override
  public long servesUntilNanos() {
    return agreed.servesUntilNanos();
  }

  @Override
  public List<PeerLease> peers() {
    return agreed.peers();
  }

  @Override
  public MapDefinition define(String name, Ddp model, Conflicts conflicts, int copies)
      throws IOException, InterruptedException {
    return agreed.define(name, model, conflicts, copies);
  }

  @Override
  public void remove(String name) throws IOException, InterruptedException {
    agreed.remove(name);
  }

  @Override
  public void close() {
    agreed.close();
  }
}
