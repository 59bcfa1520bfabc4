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
package org.orcagrid.ratis;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.SnapshotManagementRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.util.FileUtils;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;
import org.orcagrid.geo.log.HostedLog;
import org.orcagrid.geo.log.LogHost;
import org.orcagrid.geo.log.LogNode;
import org.orcagrid.geo.log.NodeLogs;

/** A node's server of Ratis, with a group for each partition. */
final class RatisLogs implements NodeLogs {
  private static final System.Logger LOG = System.getLogger(RatisLogs.class.getName());

  private static final int ENTRY_BYTES_MAX = 1 << 20;

  /** A record's length and checksum. */
  private static final int RECORD_BYTES = 8;

  private static final int PENDING_MAX = 8_192;
  private static final int SNAPSHOTS_KEPT = 1;
  private static final long REQUEST_MILLIS_MAX = 10_000;

  private final LogNode node;
  private final int segmentBytes;
  private final Groups groups;
  private final Path folder;
  private final ClientId client = ClientId.randomId();
  private final Map<RaftGroupId, RatisPartitionLog> logs = new HashMap<>();

  /** Asks the server for what takes time. */
  private final ExecutorService requests;

  private RaftServer server;
  private volatile boolean closing;

  RatisLogs(LogNode node, int segmentBytes) {
    this.node = node;
    this.segmentBytes = segmentBytes;
    this.groups = new Groups(node);
    this.folder = node.folder().toAbsolutePath().resolve("ratis");
    this.requests =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "orca-geo-" + node.number() + "-ratis");
              thread.setDaemon(true);
              return thread;
            });
  }

  @Override
  public HostedLog open(LogHost host, List<Integer> members) {
    RatisPartitionLog log =
        new RatisPartitionLog(
            this, host, groups.of(host.number(), members), members, node.number(), node.files());
    logs.put(log.group().getGroupId(), log);
    return log;
  }

  void failed(Throwable reason) {
    if (!closing) {
      node.failures().accept(reason);
    }
  }

  // --- its life ----------------------------------------------------------------------------------

  @Override
  public void start() throws IOException {
    Set<RaftGroupId> there = new HashSet<>();
    for (RatisPartitionLog each : logs.values()) {
      if (isThere(each)) {
        there.add(each.group().getGroupId());
      }
    }
    // It finds the groups in its folder by itself.
    server =
        RaftServer.newBuilder()
            .setServerId(Groups.peer(node.number()))
            .setStateMachineRegistry(id -> logs.get(id).machine())
            .setProperties(properties())
            .setOption(RaftStorage.StartupOption.RECOVER)
            .build();
    server.start();
    for (RatisPartitionLog each : logs.values()) {
      RaftGroupId id = each.group().getGroupId();
      if (!there.contains(id)) {
        require(
            server.groupManagement(
                GroupManagementRequest.newAdd(client, server.getId(), 0, each.group())));
      }
      each.started(server.getDivision(id));
    }
  }

  private static void require(RaftClientReply reply) throws IOException {
    if (!reply.isSuccess()) {
      throw new IOException("Ratis has refused a group: " + reply.getException());
    }
  }

  /**
   * Whether a group's folder is there. A node that ended before the group's first entry has not
   * written down its members, which it would wait for without end.
   */
  private boolean isThere(RatisPartitionLog log) throws IOException {
    Path own = folder.resolve(log.group().getGroupId().getUuid().toString());
    Path current = own.resolve("current");
    if (!Files.exists(current.resolve("raft-meta"))) {
      // It was not made in full, and has promised nothing.
      FileUtils.deleteFully(own);
      return false;
    }
    Path members = current.resolve("raft-meta.conf");
    if (!Files.exists(members)) {
      RaftConfigurationProto.Builder all = RaftConfigurationProto.newBuilder();
      for (RaftPeer each : log.group().getPeers()) {
        all.addPeers(each.getRaftPeerProto());
      }
      LogEntryProto entry =
          LogEntryProto.newBuilder()
              .setIndex(RaftLog.INVALID_LOG_INDEX)
              .setConfigurationEntry(all)
              .build();
      Files.write(members, entry.toByteArray());
    }
    return true;
  }

  private RaftProperties properties() {
    RaftProperties all = new RaftProperties();
    List<File> folders = new ArrayList<>();
    folders.add(folder.toFile());
    RaftServerConfigKeys.setStorageDir(all, folders);
    GrpcConfigKeys.Server.setHost(all, groups.own().host());
    GrpcConfigKeys.Server.setPort(all, groups.own().port() + RatisKind.PORT_OFFSET);
    long electionNanos = node.timing().electionNanos();
    RaftServerConfigKeys.Rpc.setTimeoutMin(all, nanos(electionNanos));
    RaftServerConfigKeys.Rpc.setTimeoutMax(all, nanos(2 * electionNanos));
    RaftServerConfigKeys.Write.setElementLimit(all, PENDING_MAX);
    SizeInBytes entry = SizeInBytes.valueOf(ENTRY_BYTES_MAX);
    SizeInBytes segment = SizeInBytes.valueOf(segmentBytes);
    RaftServerConfigKeys.Log.Appender.setBufferByteLimit(all, entry);
    RaftServerConfigKeys.Log.setWriteBufferSize(
        all, SizeInBytes.valueOf(ENTRY_BYTES_MAX + RECORD_BYTES));
    RaftServerConfigKeys.Log.setSegmentSizeMax(all, segment);
    RaftServerConfigKeys.Log.setPreallocatedSize(
        all, SizeInBytes.valueOf(Math.min(ENTRY_BYTES_MAX, segmentBytes)));
    RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(all, true);
    RaftServerConfigKeys.Log.setPurgeGap(all, 1);
    RaftServerConfigKeys.Snapshot.setRetentionFileNum(all, SNAPSHOTS_KEPT);
    RaftServerConfigKeys.Snapshot.setCreationGap(all, 1);
    // Nobody asks twice: the partition finds what is tried again by itself.
    RaftServerConfigKeys.RetryCache.setExpiryTime(all, TimeDuration.ONE_SECOND);
    RaftServerConfigKeys.Read.ReadAfterWriteConsistent.setWriteIndexCacheExpiryTime(
        all, TimeDuration.ONE_SECOND);
    return all;
  }

  private static TimeDuration nanos(long nanos) {
    return TimeDuration.valueOf(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void close() {
    closing = true;
    logs.values().forEach(RatisPartitionLog::ends);
    requests.shutdownNow();
    try {
      if (!requests.awaitTermination(REQUEST_MILLIS_MAX, TimeUnit.MILLISECONDS)) {
        LOG.log(System.Logger.Level.WARNING, "A request to Ratis has not ended");
      }
      if (server != null) {
        server.close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "Ratis was not closed in order", e);
    }
    logs.values().forEach(RatisPartitionLog::ended);
  }

  // --- requests ----------------------------------------------------------------------------------

  /** What a request to the server is. */
  private interface Request {
    RaftClientReply send() throws IOException;
  }

  /** Has a group take the snapshot that its host has offered. */
  void snapshot(RaftGroupId group) {
    request(
        () ->
            server.snapshotManagement(
                SnapshotManagementRequest.newCreate(
                    client, server.getId(), group, 0, REQUEST_MILLIS_MAX, 1)));
  }

  void transfer(RaftGroupId group, int to) {
    request(
        () ->
            server.transferLeadership(
                new TransferLeadershipRequest(
                    client,
                    server.getId(),
                    group,
                    0,
                    Groups.peer(to),
                    TimeUnit.NANOSECONDS.toMillis(node.timing().electionNanos()))));
  }

  private void request(Request request) {
    try {
      requests.execute(
          () -> {
            try {
              RaftClientReply reply = request.send();
              if (!reply.isSuccess()) {
                LOG.log(System.Logger.Level.DEBUG, "Ratis has refused", reply.getException());
              }
            } catch (IOException e) {
              LOG.log(System.Logger.Level.DEBUG, "Ratis has not done what it was asked for", e);
            } catch (RuntimeException | Error e) {
              failed(e);
            }
          });
    } catch (RejectedExecutionException e) {
      // The node ends.
      if (!closing) {
        throw e;
      }
    }
  }
}
