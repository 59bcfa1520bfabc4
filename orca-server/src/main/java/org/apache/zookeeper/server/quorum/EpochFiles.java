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
package org.apache.zookeeper.server.quorum;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.zookeeper.common.AtomicFileOutputStream;
import org.apache.zookeeper.server.util.ZxidUtils;
import org.orcagrid.server.log.NumberFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files {@code currentEpoch} and {@code acceptedEpoch}, which a stock server can read and
 * write.
 *
 * <p>A current epoch that is too high wins an election for a server over one that has more; an
 * accepted epoch that is too low takes part in an epoch twice. Neither can be seen by a number
 * alone. So each file has a check, and says how high the other one was when it was written: epochs
 * never fall. A file that a stock server has written has no check; what can be held against it is
 * what the other file says, and the log.
 */
final class EpochFiles {

  private static final Logger LOG = LoggerFactory.getLogger(EpochFiles.class);

  private static final String NOTE = "# beside ";
  private static final String FIX =
      " If the other servers are well, empty this server's data folders (all but myid) and start it"
          + " again: it will take everything from its leader.";

  private final Path folder;

  EpochFiles(Path folder) {
    this.folder = folder;
  }

  private static String otherOf(String name) {
    return name.equals(QuorumPeer.CURRENT_EPOCH_FILENAME)
        ? QuorumPeer.ACCEPTED_EPOCH_FILENAME
        : QuorumPeer.CURRENT_EPOCH_FILENAME;
  }

  private static String noteOn(String other, long epoch) {
    return NOTE + other + ' ' + epoch + '\n';
  }

  /** Writes one of the files; on disk, but for its name, when this returns. */
  void write(String name, long epoch) throws IOException {
    String other = otherOf(name);
    Path beside = folder.resolve(other);
    String note = Files.exists(beside) ? noteOn(other, NumberFile.read(beside).number()) : "";
    NumberFile.write(folder.resolve(name), epoch, note);
  }

  /**
   * Refuses epochs that cannot be what this server has had.
   *
   * @param lastZxid of the last transaction on this disk
   */
  void check(long lastZxid) throws IOException {
    NumberFile.Content current = read(QuorumPeer.CURRENT_EPOCH_FILENAME);
    NumberFile.Content accepted = read(QuorumPeer.ACCEPTED_EPOCH_FILENAME);
    requireAtLeastNoted(QuorumPeer.CURRENT_EPOCH_FILENAME, current, accepted);
    requireAtLeastNoted(QuorumPeer.ACCEPTED_EPOCH_FILENAME, accepted, current);
    long logged = ZxidUtils.getEpochFromZxid(lastZxid);
    if (current != null && Math.max(current.number(), unfinishedEpoch()) < logged) {
      throw wrong(
          QuorumPeer.CURRENT_EPOCH_FILENAME,
          current,
          "but the last transaction on this disk, 0x"
              + Long.toHexString(lastZxid)
              + ", is of epoch "
              + logged);
    }
    if (current != null && accepted != null && accepted.number() < current.number()) {
      throw wrong(
          QuorumPeer.ACCEPTED_EPOCH_FILENAME,
          accepted,
          "but "
              + folder.resolve(QuorumPeer.CURRENT_EPOCH_FILENAME)
              + " holds "
              + current.number()
              + ", which is never higher");
    }
    giveCheck(QuorumPeer.CURRENT_EPOCH_FILENAME, current);
    giveCheck(QuorumPeer.ACCEPTED_EPOCH_FILENAME, accepted);
  }

  /** What the stock peer takes instead of a current epoch that the log contradicts. */
  private long unfinishedEpoch() {
    Path file =
        folder.resolve(QuorumPeer.CURRENT_EPOCH_FILENAME + AtomicFileOutputStream.TMP_EXTENSION);
    if (!Files.exists(file)) {
      return -1;
    }
    try {
      return NumberFile.read(file).number();
    } catch (IOException e) {
      LOG.warn("{}: it was not finished, and is not used", e.getMessage());
      return -1;
    }
  }

  private NumberFile.Content read(String name) throws IOException {
    Path file = folder.resolve(name);
    if (!Files.exists(file)) {
      return null;
    }
    try {
      return NumberFile.read(file);
    } catch (IOException e) {
      throw new IOException(e.getMessage() + "." + FIX, e);
    }
  }

  private void requireAtLeastNoted(
      String name, NumberFile.Content content, NumberFile.Content other) throws IOException {
    String before = NOTE + name + ' ';
    if (other == null || !other.note().startsWith(before)) {
      return;
    }
    long noted = Long.parseLong(other.note().substring(before.length()).trim());
    String because = "but was " + noted + " when " + folder.resolve(otherOf(name)) + " was written";
    if (content == null) {
      throw new IOException(
          folder.resolve(name)
              + " is missing, "
              + because
              + ". If nothing else is, and this server has not run without it, write "
              + noted
              + " into it."
              + FIX);
    }
    if (content.number() < noted) {
      throw wrong(name, content, because);
    }
  }

  private IOException wrong(String name, NumberFile.Content content, String because) {
    return new IOException(
        folder.resolve(name) + " holds " + content.number() + ", " + because + "." + FIX);
  }

  private void giveCheck(String name, NumberFile.Content content) throws IOException {
    if (content != null && !content.checked()) {
      LOG.info(
          "{} holds {} and no check: a stock server or an older version wrote it; it gets one",
          folder.resolve(name),
          content.number());
      write(name, content.number());
    }
  }
}
