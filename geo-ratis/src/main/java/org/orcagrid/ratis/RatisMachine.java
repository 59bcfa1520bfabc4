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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.exceptions.StateMachineException;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.util.LifeCycle;
import org.apache.ratis.util.MD5FileUtil;
import org.orcagrid.ddp.durable.segment.DurableFiles;
import org.orcagrid.geo.log.HostedLog;
import org.orcagrid.geo.log.SnapshotFiles;

/**
 * What Ratis takes for the state of a group: hands entries to the partition's host, and shares
 * snapshots with it, as links to the same files. Of the group's threads, but for what the log asks.
 *
 * <p>Ratis' indexes begin with 0, ours with 1.
 */
final class RatisMachine extends BaseStateMachine {
  private final ClientId own;
  private final int partition;
  private final SnapshotFiles files;
  private final Handover handover;
  private final Consumer<Throwable> failures;
  private final SimpleStateMachineStorage storage = new SimpleStateMachineStorage();

  /** The host's latest snapshot, which Ratis may not know yet. */
  private final AtomicReference<TermIndex> offered = new AtomicReference<>();

  private volatile boolean closing;

  /** What the log appends at this moment: of its thread, in which Ratis asks for it. */
  private Append append;

  /** A command on its way into the log, in a term and no other. */
  private static final class Append {
    private final long term;
    private TransactionContext context;

    Append(long term) {
      this.term = term;
    }
  }

  RatisMachine(
      ClientId own,
      int partition,
      SnapshotFiles files,
      Handover handover,
      Consumer<Throwable> failures) {
    this.own = own;
    this.partition = partition;
    this.files = files;
    this.handover = handover;
    this.failures = failures;
  }

  // --- for the log -------------------------------------------------------------------------------

  /** What follows, in this thread, appends a command in a term. */
  void beginAppend(long term) {
    append = new Append(term);
  }

  /** Ratis' index of the command, -1 if it was not appended. */
  long endAppend() {
    TransactionContext context = append.context;
    append = null;
    LogEntryProto entry = context == null ? null : context.getLogEntry();
    return entry == null ? RaftLog.INVALID_LOG_INDEX : entry.getIndex();
  }

  /** The host has a durable snapshot up to here. */
  void offer(TermIndex last) {
    offered.set(last);
  }

  /** What ends from now on ends in order. */
  void ends() {
    closing = true;
  }

  // --- commands ----------------------------------------------------------------------------------

  @Override
  public TransactionContext startTransaction(RaftClientRequest request) throws IOException {
    if (!request.getClientId().equals(own)) {
      throw new StateMachineException("A partition's group takes nothing from clients of Ratis");
    }
    TransactionContext context =
        TransactionContext.newBuilder().setStateMachine(this).setClientRequest(request).build();
    append.context = context;
    return context;
  }

  @Override
  public TransactionContext preAppendTransaction(TransactionContext context) throws IOException {
    long term = getServer().join().getDivision(getGroupId()).getInfo().getCurrentTerm();
    if (term != append.term) {
      throw new StateMachineException("The term is " + term + " and not " + append.term, false);
    }
    return context;
  }

  @Override
  public CompletableFuture<Message> applyTransaction(TransactionContext context) {
    LogEntryProto entry = context.getLogEntry();
    updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
    byte[] command = entry.getStateMachineLogEntry().getLogData().toByteArray();
    handover.entry(entry.getIndex() + 1, entry.getTerm(), command);
    return CompletableFuture.completedFuture(Message.EMPTY);
  }

  @Override
  public void notifyTermIndexUpdated(long term, long index) {
    super.notifyTermIndexUpdated(term, index);
    handover.entry(index + 1, term, null);
  }

  // --- snapshots ---------------------------------------------------------------------------------

  @Override
  public StateMachineStorage getStateMachineStorage() {
    return storage;
  }

  @Override
  public void initialize(RaftServer server, RaftGroupId group, RaftStorage raftStorage)
      throws IOException {
    super.initialize(server, group, raftStorage);
    getLifeCycle()
        .startAndTransition(
            () -> {
              storage.init(raftStorage);
              begin(storage.getLatestSnapshot());
            },
            IOException.class);
  }

  @Override
  public void pause() {
    getLifeCycle().transition(LifeCycle.State.PAUSING);
    getLifeCycle().transition(LifeCycle.State.PAUSED);
  }

  @Override
  public void reinitialize() throws IOException {
    begin(storage.loadLatestSnapshot());
    getLifeCycle().transition(LifeCycle.State.STARTING);
    getLifeCycle().transition(LifeCycle.State.RUNNING);
  }

  /** The state is that of a snapshot, if there is one. */
  private void begin(SingleFileSnapshotInfo snapshot) throws IOException {
    if (snapshot == null) {
      return;
    }
    Path file = files.file(partition, snapshot.getIndex() + 1);
    if (!Files.exists(file)) {
      DurableFiles.makeFolder(file.toAbsolutePath().getParent());
      link(snapshot.getFile().getPath(), file);
    }
    setLastAppliedTermIndex(snapshot.getTermIndex());
    handover.restore(new HostedLog.Base(snapshot.getIndex() + 1, snapshot.getTerm()));
  }

  @Override
  public long takeSnapshot() throws IOException {
    SingleFileSnapshotInfo latest = storage.getLatestSnapshot();
    TermIndex next = offered.get();
    if (next == null || (latest != null && latest.getIndex() >= next.getIndex())) {
      return latest == null ? RaftLog.INVALID_LOG_INDEX : latest.getIndex();
    }
    Path file = storage.getSnapshotFile(next.getTerm(), next.getIndex()).toPath();
    Path source = files.file(partition, next.getIndex() + 1);
    MD5Hash sum = MD5FileUtil.computeMd5ForFile(source.toFile());
    MD5FileUtil.saveMD5File(file.toFile(), sum);
    link(source, file);
    storage.updateLatestSnapshot(
        new SingleFileSnapshotInfo(new FileInfo(file, sum), next.getTerm(), next.getIndex()));
    files.removeBefore(partition, next.getIndex() + 1);
    return next.getIndex();
  }

  /** The same file under another name; a copy where the file system has no links. */
  private static void link(Path from, Path to) throws IOException {
    Files.deleteIfExists(to);
    try {
      Files.createLink(to, from);
    } catch (UnsupportedOperationException e) {
      Path part = to.resolveSibling(to.getFileName() + ".part");
      Files.copy(from, part, StandardCopyOption.REPLACE_EXISTING);
      Files.move(part, to, StandardCopyOption.ATOMIC_MOVE);
    }
    DurableFiles.sync(to.toAbsolutePath().getParent());
  }

  // --- failures ----------------------------------------------------------------------------------

  @Override
  public void notifyLogFailed(Throwable cause, LogEntryProto entry) {
    failures.accept(
        new UncheckedIOException(
            new IOException("Ratis cannot write the log of partition " + partition, cause)));
  }

  @Override
  public void notifyServerShutdown(RoleInfoProto role, boolean all) {
    if (!closing) {
      failures.accept(
          new IllegalStateException(
              "Ratis has ended the group of partition " + partition + "; the log tells why"));
    }
  }
}
