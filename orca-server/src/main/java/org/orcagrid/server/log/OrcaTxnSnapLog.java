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
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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
 * <p>Each snapshot has a digest beside it, and none is used that is not as it was written ({@link
 * VerifiedSnapshots}).
 *
 * <p>When it is opened it looks whether the log is whole ({@link LogCheck}), and forces the log
 * files that it finds: a restarted process cannot know which of them its predecessor had forced,
 * and what it reports as persisted has to be. Later it need not look again: what it then reads was
 * whole at the start, or was written by this process, which knows how far a reader must come.
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

  private record Written(
      File pending, File published, long zxid, SnapshotDigest digest, boolean replaces) {}

  private final LogStorage storage;
  private final VerifiedSnapshots snapshots;
  private final DurableMarkFile marks;
  private final AtomicLong saved = new AtomicLong();
  private final PendingPublications<Written> pending = new PendingPublications<>();
  private OrcaTxnLog log;

  /** What looks at the log before the next restore replays it; null if that is not needed. */
  private LogCheck check;

  private ServerStats stats;
  private Publisher publisher;
  private boolean quorumUnknown;
  private SnapshotInfo lastSnapshot;

  /** How often the state that snapshots show was replaced. */
  private long states;

  /** The same, up to the newest snapshot: what it does not show is in the log. */
  private long shown;

  /**
   * Opens the directories of {@code zoo.cfg}'s {@code dataLogDir} and {@code dataDir}.
   *
   * @throws DamagedLogException if the log has lost what was durable
   * @throws IOException if they cannot be created, read or forced
   */
  public OrcaTxnSnapLog(File dataLogDir, File dataDir, LogStorage storage) throws IOException {
    super(dataLogDir, dataDir);
    this.storage = storage;
    this.snapshots = new VerifiedSnapshots(getSnapDir(), storage);
    this.marks = new DurableMarkFile(getDataLogDir(), storage);
    this.check = new LogCheck(getDataLogDir(), getSnapDir());
    this.log = continueBehind(check.repair());
    deletePending();
    snapshots.digests().removeOrphans();
  }

  /** A log behind the files that end at {@code ends}, all of which are on disk then. */
  private OrcaTxnLog continueBehind(NavigableMap<Long, DurableMark> ends) throws IOException {
    forceWhatIsThere();
    marks.reset(ends);
    return new OrcaTxnLog(getDataLogDir(), storage, marks);
  }

  private void forceWhatIsThere() throws IOException {
    try (Stream<Path> files = Files.list(getDataLogDir().toPath())) {
      for (Path file :
          files.filter(each -> Util.isLogFileName(each.getFileName().toString())).toList()) {
        try {
          storage.forceFile(file);
        } catch (NoSuchFileException e) {
          LOG.info("{} was purged while the server started", file);
        }
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
    // One that waits can have the same number: it must not be published half written over.
    File written =
        new File(getSnapDir(), PENDING + saved.incrementAndGet() + "-" + published.getName());
    LOG.info("Snapshotting: 0x{} to {}", Long.toHexString(zxid), published);
    long state = stateCount();
    boolean exact = isDetached();
    SnapshotDigest digest;
    boolean replaces;
    try {
      digest = new SnapshotWriter(getSnapDir()).write(tree, sessions, written.toPath());
      // Here, as the thread that publishes it may be one that answers wait for.
      replaces = snapshots.digests().announce(published.toPath(), digest);
    } catch (IOException e) {
      Files.deleteIfExists(written.toPath());
      throw e;
    }
    Written snapshot = new Written(written, published, zxid, digest, replaces);
    Publisher role;
    long needs = tree.lastProcessedZxid;
    synchronized (this) {
      if (state != states) {
        LOG.info("{} is dropped: the state that it shows was replaced meanwhile", written);
        Files.deleteIfExists(written.toPath());
        return written;
      }
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

  private synchronized long stateCount() {
    return states;
  }

  /**
   * The newest snapshot, if it and the log are sure to have the server's state, and the log files
   * behind it have at most half as many bytes: the next start replays these in less time than it
   * takes to write another snapshot now.
   *
   * <p>Empty if there is none of ours that is as it was written, or if the state was replaced since
   * by one that is not in a snapshot yet. A synchronisation that broke off can have left the tree
   * ahead of the log.
   */
  public Optional<File> recentSnapshot() throws IOException {
    synchronized (this) {
      if (shown != states) {
        return Optional.empty();
      }
    }
    File newest = findMostRecentSnapshot();
    if (newest == null
        || !findNRecentSnapshots(1).contains(newest)
        || !snapshots.digests().isAsWritten(newest)) {
      return Optional.empty();
    }
    long zxid = Util.getZxidFromName(newest.getName(), FileSnap.SNAPSHOT_FILE_PREFIX);
    long behind = 0;
    for (File each : FileTxnLog.getLogFiles(getDataLogDir().listFiles(), zxid)) {
      behind += each.length();
    }
    return behind <= newest.length() / 2 ? Optional.of(newest) : Optional.empty();
  }

  /** Whether what {@link #save} has returned is not published: its name does not count yet. */
  public static boolean isPending(File snapshot) {
    return snapshot.getName().startsWith(PENDING);
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
    // One of a state that was replaced is discarded before.
    shown = states;
    if (snapshot.replaces) {
      snapshots.digests().settle(snapshot.published.toPath(), snapshot.digest);
    }
    lastSnapshot = SnapshotInfos.of(snapshot.zxid, snapshot.published.lastModified() / 1000);
  }

  @Override
  public synchronized SnapshotInfo getLastSnapshotInfo() {
    return lastSnapshot != null ? lastSnapshot : super.getLastSnapshotInfo();
  }

  @Override
  public long restore(DataTree tree, Map<Long, Integer> sessions, PlayBackListener listener)
      throws IOException {
    synchronized (this) {
      log.writeOut();
      check = check == null ? new LogCheck(getDataLogDir(), getSnapDir()) : check;
    }
    OptionalLong good = snapshots.setDamagedAside(zxid -> super.readTxnLog(zxid, true));
    long restored = super.restore(tree, sessions, listener);
    SnapshotInfo used = super.getLastSnapshotInfo();
    if (good.isPresent() && (used == null || used.zxid != good.getAsLong())) {
      throw new IOException(
          "The snapshot of 0x"
              + Long.toHexString(good.getAsLong())
              + " in "
              + getSnapDir()
              + " was good and could not be read a moment later. Check the disk and start again.");
    }
    return restored;
  }

  @Override
  public long fastForwardFromEdits(
      DataTree tree, Map<Long, Integer> sessions, PlayBackListener listener) throws IOException {
    long expected;
    synchronized (this) {
      log.writeOut();
      expected =
          check == null
              ? log.persisted()
              : check.check(tree.lastProcessedZxid, findMostRecentSnapshot() != null);
      check = null;
    }
    long found = super.fastForwardFromEdits(tree, sessions, listener);
    requireUpTo(expected, found);
    return found;
  }

  private void requireUpTo(long expected, long found) throws DamagedLogException {
    if (found < expected) {
      throw new DamagedLogException(
          "The transaction log in "
              + getDataLogDir()
              + " can be read up to 0x"
              + Long.toHexString(found)
              + " only, though 0x"
              + Long.toHexString(expected)
              + " was on disk",
          ".");
    }
  }

  @Override
  public TxnLog.TxnIterator readTxnLog(long zxid, boolean fastForward) throws IOException {
    log().writeOut();
    return new ContiguousTxns(super.readTxnLog(zxid, fastForward), zxid);
  }

  @Override
  public long getLastLoggedZxid() {
    try {
      return lastLogged();
    } catch (IOException e) {
      LOG.error("The end of the log cannot be read", e);
      return -1;
    }
  }

  /** The stock reader says where it stopped, which may be too early. */
  private long lastLogged() throws IOException {
    log().writeOut();
    long found = super.getLastLoggedZxid();
    requireUpTo(log().persisted(), found);
    return found;
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
      if (!snapshots.hasStartUpTo(zxid)) {
        LOG.error(
            "No good snapshot in {} is as old as 0x{}, to which the leader wants the log cut back,"
                + " so that nothing could be restored from what is left; nothing was changed. If"
                + " the other servers are well, empty this server's data folders (all but myid) and"
                + " start it again: it will take everything from its leader.",
            getSnapDir(),
            Long.toHexString(zxid));
        return false;
      }
      long last = lastLogged();
      discardPending();
      log.close();
      // Before the log gets shorter: a mark that stays would say that its end is lost.
      marks.forgetBehind(zxid);
      // A log that ends earlier has nothing to remove; the stock code would call that a failure.
      boolean truncated = last < zxid || super.truncateLog(zxid);
      snapshots.deleteAfter(zxid);
      log = continueBehind(new LogCheck(getDataLogDir(), getSnapDir()).repair());
      log.setServerStats(stats);
      return truncated;
    } catch (IOException e) {
      LOG.error("The log could not be truncated to 0x{}", Long.toHexString(zxid), e);
      return false;
    }
  }

  /** Throws away the snapshots that are not published: the state that they show is replaced. */
  public synchronized void discardPending() throws IOException {
    states++;
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
    return Math.max(shown, lastLogged());
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
