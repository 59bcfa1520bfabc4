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
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.zookeeper.server.persistence.FileSnap;
import org.apache.zookeeper.server.persistence.TxnLog.TxnIterator;
import org.apache.zookeeper.server.persistence.Util;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The snapshots of a folder, of which none is used that is not as it was written.
 *
 * <p>Invariant: what a damaged snapshot showed is shown again after a restart, from an older
 * snapshot and the log, or the restart is refused. A damaged snapshot that the log makes up for is
 * moved aside, so that neither the stock server nor its purge counts on it.
 */
final class VerifiedSnapshots {

  private static final Logger LOG = LoggerFactory.getLogger(VerifiedSnapshots.class);

  private static final String ASIDE = "damaged.";
  private static final String FIX =
      " Nothing was changed. If the other servers are well, empty this server's data folders (all"
          + " but myid) and start it again: it will take everything from its leader. A standalone"
          + " server needs a backup.";

  /** The log from a transaction on. */
  @FunctionalInterface
  interface LogReader {
    TxnIterator from(long zxid) throws IOException;
  }

  private record Damaged(Path file, long zxid, String fault) {
    @Override
    public String toString() {
      return file + ": " + fault;
    }
  }

  private final File folder;
  private final SnapshotDigests digests;
  private final LogStorage storage;

  VerifiedSnapshots(File folder, LogStorage storage) {
    this.folder = folder;
    this.digests = new SnapshotDigests(folder.toPath(), storage);
    this.storage = storage;
  }

  SnapshotDigests digests() {
    return digests;
  }

  private List<File> newestFirst() throws IOException {
    return new FileSnap(folder).findNRecentSnapshots(Integer.MAX_VALUE);
  }

  private static long zxidOf(File snapshot) {
    return Util.getZxidFromName(snapshot.getName(), FileSnap.SNAPSHOT_FILE_PREFIX);
  }

  /**
   * Leaves no damaged snapshot that is newer than the newest good one.
   *
   * @return the zxid of that one; nothing if there are no snapshots
   * @throws IOException if the log does not make up for what is damaged; all files are then as they
   *     were
   */
  OptionalLong setDamagedAside(LogReader log) throws IOException {
    List<Damaged> damaged = new ArrayList<>();
    for (File snapshot : newestFirst()) {
      Optional<String> fault = faultOf(snapshot);
      if (fault.isEmpty()) {
        if (!damaged.isEmpty()) {
          requireInLog(snapshot, damaged, log);
          setAside(damaged, snapshot);
        }
        return OptionalLong.of(zxidOf(snapshot));
      }
      damaged.add(new Damaged(snapshot.toPath(), zxidOf(snapshot), fault.get()));
      LOG.error("The snapshot {} is damaged and not used: {}", snapshot, fault.get());
    }
    if (!damaged.isEmpty()) {
      throw new IOException(
          "No snapshot in "
              + folder
              + " can be used. Damaged are "
              + damaged.stream().map(Damaged::toString).collect(Collectors.joining("; "))
              + "."
              + FIX);
    }
    return OptionalLong.empty();
  }

  /**
   * What is wrong with {@code snapshot}.
   *
   * <p>A stock server that starts writes a snapshot, often of the name that the newest has. Then
   * the digest is of another file, and the snapshot is one without a digest.
   */
  private Optional<String> faultOf(File snapshot) throws IOException {
    List<SnapshotDigest> written = List.of();
    try {
      written = digests.expectedOf(snapshot.toPath());
    } catch (IOException e) {
      LOG.warn("{}; the checksum of {} has to do", e.getMessage(), snapshot);
    }
    if (!written.isEmpty()) {
      SnapshotDigest found = SnapshotDigest.of(snapshot.toPath());
      if (written.stream().anyMatch(found::sameBytes)) {
        return Optional.empty();
      }
      if (written.stream().anyMatch(each -> each.modifiedMillis() == found.modifiedMillis())) {
        return Optional.of("it holds " + found + ", but was written as " + written.get(0));
      }
    }
    LOG.info(
        "{} has no digest that was written with it, so that its own checksum has to do: it is from"
            + " a stock server, an older version or a copy",
        snapshot);
    try {
      SnapshotScan.check(snapshot);
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of("by its own checksum, " + e.getMessage());
    }
  }

  /**
   * Requires every transaction between {@code good} and what the damaged ones showed.
   *
   * <p>That the log has the very transaction after which a snapshot was taken tells that the
   * snapshot was made of this log, and did not come from a leader instead of it.
   */
  private static void requireInLog(File good, List<Damaged> damaged, LogReader log)
      throws IOException {
    NavigableSet<Long> shown = new TreeSet<>();
    damaged.forEach(each -> shown.add(each.zxid));
    shown.remove(zxidOf(good));
    long last = zxidOf(good);
    try (TxnIterator each = log.from(last + 1)) {
      while (!shown.isEmpty() && each.getHeader() != null) {
        long zxid = each.getHeader().getZxid();
        if (!LogRecord.follows(last, zxid)) {
          break;
        }
        shown.remove(zxid);
        last = zxid;
        if (!each.next()) {
          break;
        }
      }
    }
    if (!shown.isEmpty()) {
      throw new IOException(
          damaged.get(0)
              + ". The newest snapshot that is good, "
              + good
              + ", and the log reach to 0x"
              + Long.toHexString(last)
              + " without a gap, and not to 0x"
              + Long.toHexString(shown.last())
              + ", which the damaged one showed; what is between would be lost."
              + FIX);
    }
  }

  private void setAside(List<Damaged> damaged, File good) throws IOException {
    for (Damaged each : damaged) {
      Path aside = each.file.resolveSibling(ASIDE + each.file.getFileName());
      Files.move(each.file, aside, StandardCopyOption.REPLACE_EXISTING);
      digests.remove(each.file);
      LOG.warn(
          "Starting from {} and the log, which have all that {} showed; that one is {} now, for you"
              + " to look at and to delete. Check the disk.",
          good,
          each.file,
          aside);
    }
    storage.forceDirectory(folder.toPath());
  }

  /**
   * Whether a good snapshot remains to start from after a cut to {@code zxid}, or none is needed.
   */
  boolean hasStartUpTo(long zxid) throws IOException {
    List<File> snapshots = newestFirst();
    for (File each : snapshots) {
      if (zxidOf(each) <= zxid) {
        Optional<String> fault = faultOf(each);
        if (fault.isEmpty()) {
          return true;
        }
        LOG.error("The snapshot {} is damaged and not used: {}", each, fault.get());
      }
    }
    return snapshots.isEmpty();
  }

  /** Removes the snapshots that show more than {@code zxid}. */
  void deleteAfter(long zxid) throws IOException {
    for (File snapshot : newestFirst()) {
      if (zxidOf(snapshot) > zxid) {
        LOG.warn("Removing {}: the quorum does not have what it shows", snapshot);
        Files.delete(snapshot.toPath());
      }
    }
    digests.removeOrphans();
    storage.forceDirectory(folder.toPath());
  }
}
