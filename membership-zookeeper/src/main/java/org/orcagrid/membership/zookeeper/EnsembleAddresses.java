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
package org.orcagrid.membership.zookeeper;

import java.util.List;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.ZKClientConfig;
import org.orcagrid.ddp.map.MembershipProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the servers of an ensemble are: as a node was told, and as the ensemble says since. A node
 * that runs for long may outlive all servers that it was told of.
 *
 * <p>For one thread, but for the watch.
 */
final class EnsembleAddresses implements Watcher {
  private static final Logger LOG = LoggerFactory.getLogger(EnsembleAddresses.class);

  private final String given;
  private final boolean follows;
  private volatile boolean isStale = true;

  /** Of the servers that there are now; empty if they do not tell. */
  private String followed = "";

  /** The ensemble may say addresses at which it cannot be reached from here. */
  private boolean isFollowedTried;

  private EnsembleAddresses(String given, boolean follows) {
    this.given = given;
    this.follows = follows;
  }

  /** As a connect string has them; what the ensemble says later is followed. */
  static EnsembleAddresses of(String given) {
    // It tells where clients connect in the clear, and not where with TLS.
    return new EnsembleAddresses(given, !Boolean.getBoolean(ZKClientConfig.SECURE_CLIENT));
  }

  /** Those of a node. What a server hosts has that server alone: it is there, or both are not. */
  static EnsembleAddresses of(MembershipProvider.Place node) {
    return node.hosted() ? new EnsembleAddresses(node.ensemble(), false) : of(node.ensemble());
  }

  /** Where to connect next: as the ensemble has said, and after that as was given. */
  String next() {
    boolean isGivenNext = followed.isEmpty() || isFollowedTried;
    isFollowedTried = !isGivenNext;
    return isGivenNext ? given : followed;
  }

  /** Asks an ensemble for its servers, at a new connection or after they have changed. */
  void follow(ZooKeeper client, boolean isNew) throws InterruptedException {
    isStale |= isNew;
    isFollowedTried = false;
    if (!follows || !isStale) {
      return;
    }
    isStale = false;
    try {
      follow(EnsembleConfig.parse(client.getConfig(this, null)));
    } catch (KeeperException | IllegalArgumentException e) {
      LOG.debug("Cannot read the ensemble's configuration: ensemble={}", given, e);
      // A lost connection is followed by another one, which asks again.
      isStale = e instanceof KeeperException.ConnectionLossException;
    }
  }

  void follow(EnsembleConfig config) {
    List<String> clients = config.clients();
    String chroot = new ConnectStringParser(given).getChrootPath();
    String now =
        clients.isEmpty() ? "" : String.join(",", clients) + (chroot == null ? "" : chroot);
    if (!followed.isEmpty() && !now.equals(followed)) {
      LOG.info(
          "The ensemble has other servers now: ensemble={} servers={}", given, config.servers());
    }
    followed = now;
  }

  @Override
  public void process(WatchedEvent event) {
    isStale = true;
  }

  @Override
  public String toString() {
    return given;
  }
}
