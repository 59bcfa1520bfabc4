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
package org.orcagrid.server.log;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.ServerStats;
import org.apache.zookeeper.server.persistence.FileSnap;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.server.persistence.SnapshotInfo;
import org.apache.zookeeper.server.persistence.SnapshotInfos;
import org.apache.zookeeper.server.persistence.TxnLog;
import org.apache.zookeeper.server.persistence.Util;
import org.orcagrid.cad.PendingPublications;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server's log and snapshots, with the log of {@link OrcaTxnLog} and with snapshots that stay
 * unseen until they can no longer be contradicted.
 *
 * <p>While transactions are applied a snapshot can contain later changes than its name says, and
 * truncating the log does not undo what is in a snapshot. So {@link #save} writes it under another
 * name, forces it, and renames it once everything that was applied by the end of its serialisation
 * is durable on a quorum. A snapshot that is taken while a learner synchronises is exact and part
 * of what the learner acknowledges: it is published at once.
 *
 * <p>When it is opened it forces the log files that it finds: a restarted process cannot know which
 * of them its predecessor had forced, and what it reports as persisted has to be.
 */
public final class OrcaTxnSnapLog extends FileTxnSnapLog {

  private static final Logger LOG = LoggerFactory.getLogger(OrcaTxnSnapLog.class);

  private static final String PENDING = "pending-";
  private static final long PUBLICATION_WAIT_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** What the server's role of the moment knows about durability. */
  public interface Publisher {

    /** The index up to which the state is durable on a quorum. */
    long durableIndex();

    /** Asks for {@code index} to become durable soon. */
    void demand(long index);
  }

  private record Written(File pending, File published, long zxid) {}

  private final LogStorage storage;
  private final PendingPublications<Written> pending = new PendingPublications<>();
  private OrcaTxnLog log;
  private ServerStats stats;
  private Publisher publisher;
  private boolean quorumUnknown;
  private SnapshotInfo lastSnapshot;

  /**
   * Opens the directories of {@code zoo.cfg}'s {@code dataLogDir} and {@code dataDir}.
   *
   * @throws IOException if they cannot be created, read or forced
   */
  public OrcaTxnSnapLog(File dataLogDir, File dataDir, LogStorage storage) throws IOException {
    super(dataLogDir, dataDir);
    this.storage = storage;
    this.log = new OrcaTxnLog(getDataLogDir(), storage);
    TornTail.remove(getDataLogDir());
    forceWhatIsThere();
    deletePending();
  }

  private void forceWhatIsThere() throws IOException {
    try (Stream<Path> files = Files.list(getDataLogDir().toPath())) {
      for (Path file :
          files.filter(each -> Util.isLogFileName(each.getFileName().toString())).toList()) {
        storage.forceFile(file);
      }
    }
    storage.forceDirectory(getDataLogDir().toPath());
  }

  private void deletePending() throws IOException {
    try (Stream<Path> files = Files.list(getSnapDir().toPath())) {
      for (Path file :
          files.filter(each -> each.getFileName().toString().startsWith(PENDING)).toList()) {
        Files.delete(file);
      }
    }
  }

  /** The log. It is another one after {@link #truncateLog}. */
  public synchronized OrcaTxnLog log() {
    return log;
  }

  /** From now on the server applies transactions under {@code role}. */
  public synchronized void attach(Publisher role) {
    publisher = role;
    quorumUnknown = false;
  }

  /**
   * From now on no transactions are applied.
   *
   * @param asLeader whether the server is about to lead: what it has may still be refused by a
   *     quorum
   */
  public synchronized void detach(boolean asLeader) {
    publisher = null;
    quorumUnknown = asLeader;
  }

  /** Publishes the snapshots that {@code durable} allows. */
  public synchronized void onDurable(long durable) {
    if (pending.isEmpty()) {
      return;
    }
    for (Written snapshot : pending.takeReady(durable)) {
      try {
        publish(snapshot);
      } catch (IOException e) {
        LOG.error(
            "The snapshot {} could not be published and is lost; the log has all that it has",
            snapshot.pending,
            e);
      }
    }
    notifyAll();
  }

  @Override
  public File save(DataTree tree, ConcurrentHashMap<Long, Integer> sessions, boolean syncSnapshot)
      throws IOException {
    long zxid = tree.lastProcessedZxid;
    File published = new File(getSnapDir(), Util.makeSnapshotName(zxid));
    File written = new File(getSnapDir(), PENDING + published.getName());
    LOG.info("Snapshotting: 0x{} to {}", Long.toHexString(zxid), published);
    boolean exact = isDetached();
    try {
      new FileSnap(getSnapDir()).serialize(tree, sessions, written, true);
    } catch (IOException e) {
      Files.deleteIfExists(written.toPath());
      throw e;
    }
    Written snapshot = new Written(written, published, zxid);
    Publisher role;
    long needs = tree.lastProcessedZxid;
    synchronized (this) {
      role = publisher;
      // If a role ended while it was written it shows what that role applied, durable or not.
      if (exact && isDetached()) {
        publish(snapshot);
        return published;
      }
      pending.add(snapshot, needs);
    }
    if (role == null) {
      return written;
    }
    role.demand(needs);
    onDurable(role.durableIndex());
    return awaitPublication(written, published);
  }

  private synchronized boolean isDetached() {
    return publisher == null && !quorumUnknown;
  }

  private synchronized File awaitPublication(File written, File published) {
    long deadline = System.nanoTime() + PUBLICATION_WAIT_NANOS;
    try {
      while (written.exists()) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0) {
          LOG.info("The snapshot {} waits for a quorum to hold what it shows", published);
          return written;
        }
        wait(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return published;
  }

  private void publish(Written snapshot) throws IOException {
    Files.move(
        snapshot.pending.toPath(),
        snapshot.published.toPath(),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    storage.forceDirectory(getSnapDir().toPath());
    lastSnapshot = SnapshotInfos.of(snapshot.zxid, snapshot.published.lastModified() / 1000);
  }

  @Override
  public synchronized SnapshotInfo getLastSnapshotInfo() {
    return lastSnapshot != null ? lastSnapshot : super.getLastSnapshotInfo();
  }

  @Override
  public long restore(DataTree tree, Map<Long, Integer> sessions, PlayBackListener listener)
      throws IOException {
    log().writeOut();
    return super.restore(tree, sessions, listener);
  }

  @Override
  public long fastForwardFromEdits(
      DataTree tree, Map<Long, Integer> sessions, PlayBackListener listener) throws IOException {
    log().writeOut();
    return super.fastForwardFromEdits(tree, sessions, listener);
  }

  @Override
  public TxnLog.TxnIterator readTxnLog(long zxid, boolean fastForward) throws IOException {
    log().writeOut();
    return super.readTxnLog(zxid, fastForward);
  }

  @Override
  public long getLastLoggedZxid() {
    try {
      log().writeOut();
    } catch (IOException e) {
      LOG.error("The end of the log cannot be read", e);
      return -1;
    }
    return super.getLastLoggedZxid();
  }

  /**
   * Removes everything after {@code zxid} from the log, and the snapshots that show more than that.
   *
   * @return false if it could not be done; the directories are then not to be used
   */
  @Override
  public synchronized boolean truncateLog(long zxid) {
    try {
      // What a failed disk has lost stays lost: a new log must not say otherwise.
      log.failIfFailed();
      if (!hasStartUpTo(zxid)) {
        LOG.error(
            "No snapshot in {} is as old as 0x{}, to which the leader wants the log cut back, so"
                + " that nothing could be restored from what is left; nothing was changed. If the"
                + " other servers are well, empty this server's data folders (all but myid) and"
                + " start it again: it will take everything from its leader.",
            getSnapDir(),
            Long.toHexString(zxid));
        return false;
      }
      discardPending();
      log.close();
      // A log that ends earlier has nothing to remove; the stock code would call that a failure.
      boolean truncated = super.getLastLoggedZxid() < zxid || super.truncateLog(zxid);
      deleteSnapshotsAfter(zxid);
      forceWhatIsThere();
      log = new OrcaTxnLog(getDataLogDir(), storage);
      log.setServerStats(stats);
      return truncated;
    } catch (IOException e) {
      LOG.error("The log could not be truncated to 0x{}", Long.toHexString(zxid), e);
      return false;
    }
  }

  /** Throws away the snapshots that are not published: the state that they show is replaced. */
  public synchronized void discardPending() throws IOException {
    for (Written snapshot : pending.takeAll()) {
      Files.deleteIfExists(snapshot.pending.toPath());
    }
  }

  /** The last transaction that a restart would find, in the log or in a published snapshot. */
  public long lastOnDisk() throws IOException {
    File snapshot = findMostRecentSnapshot();
    long shown =
        snapshot == null
            ? -1
            : Util.getZxidFromName(snapshot.getName(), FileSnap.SNAPSHOT_FILE_PREFIX);
    return Math.max(shown, getLastLoggedZxid());
  }

  /** Whether a snapshot remains to start from, or there was none before. */
  private boolean hasStartUpTo(long zxid) throws IOException {
    List<File> snapshots = new FileSnap(getSnapDir()).findNRecentSnapshots(Integer.MAX_VALUE);
    return snapshots.isEmpty()
        || snapshots.stream()
            .anyMatch(
                each ->
                    Util.getZxidFromName(each.getName(), FileSnap.SNAPSHOT_FILE_PREFIX) <= zxid);
  }

  private void deleteSnapshotsAfter(long zxid) throws IOException {
    List<Path> later;
    try (Stream<Path> files = Files.list(getSnapDir().toPath())) {
      later =
          files
              .filter(
                  each ->
                      Util.getZxidFromName(
                              each.getFileName().toString(), FileSnap.SNAPSHOT_FILE_PREFIX)
                          > zxid)
              .toList();
    }
    for (Path snapshot : later) {
      LOG.warn("Removing {}: the quorum does not have what it shows", snapshot);
      Files.delete(snapshot);
    }
    storage.forceDirectory(getSnapDir().toPath());
  }

  @Override
  public boolean append(Request request) throws IOException {
    return log().append(request);
  }

  /** Returns once everything that was appended is on disk. */
  @Override
  public void commit() throws IOException {
    log().commit();
    long limit = FileTxnLog.getTxnLogSizeLimit();
    if (limit > 0 && log().getCurrentLogSize() > limit) {
      log().rollLog();
    }
  }

  @Override
  public void rollLog() throws IOException {
    log().rollLog();
  }

  @Override
  public void close() throws IOException {
    log().close();
    super.close();
  }

  @Override
  public synchronized void setServerStats(ServerStats serverStats) {
    stats = serverStats;
    log.setServerStats(serverStats);
  }

  @Override
  public long getTxnLogElapsedSyncTime() {
    return log().getTxnLogSyncElapsedTime();
  }

  @Override
  public void setTotalLogSize(long size) {
    log().setTotalLogSize(size);
  }

  @Override
  public long getTotalLogSize() {
    return log().getTotalLogSize();
  }
}
