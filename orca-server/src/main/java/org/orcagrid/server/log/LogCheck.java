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
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.zookeeper.server.persistence.FileSnap;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.server.persistence.Util;
import org.apache.zookeeper.server.util.ZxidUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes sure, before a server starts, that its log has all that it should have. The stock reader
 * takes a length of zero for the end of a file, and the next file for what follows.
 *
 * <p>The rule, where no whole transaction begins in a log file:
 *
 * <ol>
 *   <li>Below the position that is known to be durable ({@link DurableMark}) it is damage, whatever
 *       it looks like.
 *   <li>In a file behind which there is another one nothing but zeros may follow: a file is forced
 *       before the next one is begun. It may be what a stock server that was killed has left half
 *       written, if the next file begins with the transaction that follows.
 *   <li>In the last file, if nothing but zeros follow, it is the end of the log.
 *   <li>Else, if a power cut explains it ({@link TornTail}), it is a torn end: the server cuts it
 *       off. Else it is damage.
 * </ol>
 *
 * <p>Within what a restore reads no transaction may be missing between two others ({@link
 * LogRecord#follows}), wherever that is: a file that was deleted or cut, or a snapshot that is gone
 * and was all that had them.
 *
 * <p>What is damage is refused. What cannot be told: above the durable position, what {@link
 * TornTail} says. A server of an ensemble gets from its leader what it has lost, unless a majority
 * has lost it.
 *
 * <p>A mark does not bind when somebody has changed the log on purpose: if the file is gone and a
 * snapshot shows as much, as autopurge leaves it, or there are neither logs nor snapshots; if the
 * file begins with another transaction, or has others at the place; if it was truncated, as a stock
 * server does it: it ends exactly behind a transaction, or is gone, so are all later files that
 * have marks, and this server has accepted a later epoch. Our own truncation forgets the marks
 * first, durably. A log that is replaced by an older copy of itself, under marks that stay, is
 * refused.
 */
final class LogCheck {

  private static final Logger LOG = LoggerFactory.getLogger(LogCheck.class);

  private static final String ACCEPTED_EPOCH = "acceptedEpoch";

  private final Path logDir;
  private final Path snapDir;
  private final Map<Path, LogScan> scans = new HashMap<>();

  /** By the number in the name of the file that each is about. */
  private NavigableMap<Long, DurableMark> marks = new TreeMap<>();

  LogCheck(File logDir, File snapDir) {
    this.logDir = logDir.toPath();
    this.snapDir = snapDir.toPath();
  }

  /**
   * Cuts a torn end off the log.
   *
   * @return where each file ends of which that is known, which is durable when the caller has
   *     forced the files
   * @throws DamagedLogException if it is damaged rather than torn; it stays as it is then
   */
  NavigableMap<Long, DurableMark> repair() throws IOException {
    List<Path> logs = logs();
    marks = DurableMarkFile.read(logDir);
    NavigableSet<Long> snapshots = snapshots();
    forgetWhatDoesNotBind(logs, snapshots);
    for (DurableMark mark : marks.descendingMap().values()) {
      if (logs.contains(mark.in(logDir)) || snapshots.isEmpty() || !isIn(mark, snapshots.last())) {
        requireExists(mark, logs);
        confirm(mark.in(logDir));
        break;
      }
    }
    while (!logs.isEmpty()) {
      Path last = logs.get(logs.size() - 1);
      if (hasTransactions(last)) {
        marks.put(zxidOf(last), DurableMark.of(scan(last), zxidOf(last)));
        return marks;
      }
      // It stays in the way otherwise: a later leader may send what belongs before it.
      LOG.warn("{} holds nothing that was forced, as after a power cut; deleting it", last);
      Files.delete(last);
      scans.remove(last);
      logs.remove(last);
    }
    return marks;
  }

  /** Repairs the end of the last file; whether anything is before it. */
  private boolean hasTransactions(Path last) throws IOException {
    if (!marks.containsKey(zxidOf(last)) && isUnwritten(last)) {
      return false;
    }
    repairEnd(scan(last));
    return scan(last).last() != null;
  }

  /** Forgets what the marks say of files that somebody has removed or cut on purpose. */
  private void forgetWhatDoesNotBind(List<Path> logs, NavigableSet<Long> snapshots)
      throws IOException {
    boolean emptied = logs.isEmpty() && snapshots.isEmpty();
    // A leader that has a log cut has all later files deleted: from the last mark backwards.
    boolean mayBeCut = true;
    for (DurableMark mark : List.copyOf(marks.descendingMap().values())) {
      Path file = mark.in(logDir);
      // A purge may run beside this.
      boolean gone = !Files.exists(file);
      boolean cut = gone || file.toFile().length() < mark.end();
      boolean truncated = cut && mayBeCut && laterEpochWasAccepted(mark);
      boolean inNewest = gone && !snapshots.isEmpty() && isIn(mark, snapshots.last());
      if (emptied || (inNewest && isIn(mark, snapshots.first()))) {
        marks.remove(mark.log());
      } else if (!inNewest && truncated && (gone || scan(file).end() == scan(file).length())) {
        LOG.warn(
            "{} was cut back by a leader of a later epoch; it was on disk up to byte {}",
            file,
            mark.end());
        marks.remove(mark.log());
        scans.remove(file);
      } else if (!inNewest) {
        // One that is gone stays: if the newest snapshot is damaged, no older one replaces it.
        mayBeCut = false;
      }
    }
  }

  /** Refuses a file that has lost what was forced; forgets the mark if it does not bind. */
  private void confirm(Path file) throws IOException {
    DurableMark mark = marks.get(zxidOf(file));
    if (mark != null && mark.in(logDir).equals(file) && !binds(mark, file)) {
      marks.remove(mark.log());
      scans.remove(file);
    }
  }

  private boolean binds(DurableMark mark, Path file) throws IOException {
    LogScan scan = scan(file);
    if (mark.isAt(scan.watched())) {
      return true;
    }
    boolean another = scan.first() != null && scan.first().checksum() != mark.firstChecksum();
    if (another || scan.end() >= mark.end()) {
      LOG.warn("{} is not the file that {} is about; it was replaced", file, DurableMarkFile.NAME);
      return false;
    }
    throw new DamagedLogException(
        file,
        scan.end(),
        "no whole transaction begins there, but the log was on disk up to byte "
            + mark.end()
            + ", transaction 0x"
            + Long.toHexString(mark.zxid())
            + ", as "
            + DurableMarkFile.NAME
            + " beside it says (if an older copy of the log was put there on purpose, delete that"
            + " file); "
            + scan.following());
  }

  /** Refuses a log without a file that held what no snapshot shows. */
  private void requireExists(DurableMark mark, List<Path> logs) throws DamagedLogException {
    Path file = mark.in(logDir);
    if (logs.contains(file)) {
      return;
    }
    throw new DamagedLogException(
        "The transaction log "
            + file
            + " is missing. It held what was durable up to transaction 0x"
            + Long.toHexString(mark.zxid())
            + ", as "
            + DurableMarkFile.NAME
            + " beside it says, and no snapshot in "
            + snapDir
            + " shows as much",
        "; or, to do without it, delete " + DurableMarkFile.NAME + ".");
  }

  private void repairEnd(LogScan scan) throws IOException {
    if (scan.padded()) {
      return;
    }
    LogScan.Following following = scan.following();
    if (!TornTail.explains(scan, following)) {
      throw damaged(scan, following);
    }
    LOG.warn(
        "{} ends at byte {} with a transaction that was never forced, as after a power cut ({});"
            + " cutting it off",
        scan.file(),
        scan.end(),
        following);
    try (FileChannel channel = FileChannel.open(scan.file(), StandardOpenOption.WRITE)) {
      channel.truncate(scan.end());
      channel.force(true);
    }
    scans.remove(scan.file());
  }

  private static DamagedLogException damaged(LogScan scan, LogScan.Following following) {
    return new DamagedLogException(
        scan.file(),
        scan.end(),
        "no whole transaction begins there behind 0x"
            + Long.toHexString(scan.lastZxid())
            + " (CRC check failed, or its length is impossible), and no power cut leaves it like"
            + " this; "
            + following);
  }

  private static boolean isUnwritten(Path file) throws IOException {
    try (LogFileReader reader = new LogFileReader(file)) {
      return TornTail.isUnwritten(reader);
    }
  }

  /**
   * Looks at everything that a restore from a snapshot will read, before it does.
   *
   * @param from the last transaction that the snapshot shows
   * @param hasSnapshot whether there was one; without, the operator wants what the logs have
   * @return the last transaction that the restore must find, {@code from} if there is none
   */
  long check(long from, boolean hasSnapshot) throws IOException {
    List<Path> logs = logs();
    int begin = 0;
    for (int i = 0; i < logs.size(); i++) {
      begin = zxidOf(logs.get(i)) <= from ? i : begin;
    }
    long last = from;
    for (DurableMark mark : marks.values()) {
      if (mark.zxid() > from) {
        requireExists(mark, logs);
      }
    }
    Path previous = null;
    List<Path> range = logs.subList(begin, logs.size());
    for (int i = 0; i < range.size(); i++) {
      Path file = range.get(i);
      confirm(file);
      LogScan scan = scan(file);
      if (!scan.padded() && !(i + 1 < range.size() && goesOnIn(range.get(i + 1), scan))) {
        throw damaged(scan, scan.following());
      }
      if (scan.first() != null) {
        boolean known = hasSnapshot || previous != null;
        if (known && !LogRecord.follows(last, scan.first().zxid())) {
          throw gap(file, previous, last, scan.first().zxid(), scan.first().start());
        }
        for (LogScan.Gap gap : scan.gaps()) {
          long earlier = Math.max(gap.earlier(), from);
          if (gap.later() > from && !LogRecord.follows(earlier, gap.later())) {
            throw gap(file, file, earlier, gap.later(), gap.at());
          }
        }
        last = Math.max(last, scan.last().zxid());
        previous = file;
      }
    }
    return last;
  }

  /**
   * A stock server that was killed leaves a transaction half written, and goes on in a new file.
   * The number that this begins with tells that none is missing.
   */
  private boolean goesOnIn(Path next, LogScan ended) throws IOException {
    LogRecord first = scan(next).first();
    return ended.last() != null && first != null && first.zxid() == ended.last().zxid() + 1;
  }

  private DamagedLogException gap(Path file, Path previous, long earlier, long later, long at) {
    return new DamagedLogException(
        "The transaction log "
            + file
            + " has lost what comes before its byte "
            + at
            + ": transaction 0x"
            + Long.toHexString(later)
            + " is there, but the one before it that can be found is 0x"
            + Long.toHexString(earlier)
            + (previous == null ? " of the snapshot in " + snapDir : " in " + previous)
            + "; a log file or a snapshot is missing, or was cut",
        "; or, to give up what follows, move the log files from this one on away and delete "
            + DurableMarkFile.NAME
            + " beside them.");
  }

  private LogScan scan(Path file) throws IOException {
    LogScan known = scans.get(file);
    if (known != null
        && known.length() == Files.size(file)
        && known.modified().equals(Files.getLastModifiedTime(file))) {
      return known;
    }
    DurableMark mark = marks.get(zxidOf(file));
    LogScan scan = LogScan.of(file, mark == null ? -1 : mark.end());
    scans.put(file, scan);
    return scan;
  }

  /** The log's files, the oldest first. */
  private List<Path> logs() {
    File[] found = logDir.toFile().listFiles((dir, name) -> Util.isLogFileName(name));
    List<Path> logs = new ArrayList<>();
    for (File each : Util.sortDataDir(found, FileTxnLog.LOG_FILE_PREFIX, true)) {
      if (zxidOf(each.toPath()) >= 0) {
        logs.add(each.toPath());
      }
    }
    return logs;
  }

  private static long zxidOf(Path log) {
    return Util.getZxidFromName(log.getFileName().toString(), FileTxnLog.LOG_FILE_PREFIX);
  }

  /** The transactions that the snapshots' names show. */
  private NavigableSet<Long> snapshots() {
    File[] found = snapDir.toFile().listFiles((dir, name) -> Util.isSnapshotFileName(name));
    NavigableSet<Long> snapshots = new TreeSet<>();
    for (File each : found == null ? new File[0] : found) {
      snapshots.add(Util.getZxidFromName(each.getName(), FileSnap.SNAPSHOT_FILE_PREFIX));
    }
    return snapshots;
  }

  private static boolean isIn(DurableMark mark, long snapshot) {
    return snapshot >= mark.zxid();
  }

  /** Without that nobody can have truncated the log. */
  private boolean laterEpochWasAccepted(DurableMark mark) throws IOException {
    Path file = snapDir.resolve(ACCEPTED_EPOCH);
    if (!Files.exists(file)) {
      return false;
    }
    try {
      return NumberFile.read(file).number() > ZxidUtils.getEpochFromZxid(mark.zxid());
    } catch (IOException e) {
      // Whoever needs the number refuses it.
      LOG.warn(e.getMessage());
      return false;
    }
  }
}
