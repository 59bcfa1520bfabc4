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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.zookeeper.common.AtomicFileWritingIdiom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The digests of a folder's snapshots, each in a file of its own beside the snapshot: {@code
 * digest.snapshot.5} for {@code snapshot.5}.
 *
 * <p>Neither the stock server nor its tools take a file of that name for a snapshot or for a log:
 * they go by what stands before the first dot. {@code sha256sum -c} reads it.
 *
 * <p>A snapshot can be replaced by another one of the same name. Until that is certain the file has
 * the digests of both, the newer first. Its last line is a checksum of the lines before, so that
 * damage to the file is not taken for damage to the snapshot.
 */
final class SnapshotDigests {

  private static final Logger LOG = LoggerFactory.getLogger(SnapshotDigests.class);

  private static final String PREFIX = "digest.";
  private static final String LENGTH = "# bytes ";
  private static final String MODIFIED = ", modified ";
  private static final String CHECK = "# crc32c ";
  private static final String SEPARATOR = "  ";

  private final Path folder;
  private final LogStorage storage;

  SnapshotDigests(Path folder, LogStorage storage) {
    this.folder = folder;
    this.storage = storage;
  }

  private Path fileFor(Path snapshot) {
    return folder.resolve(PREFIX + snapshot.getFileName());
  }

  /**
   * Puts on disk what {@code snapshot} will hold; before it gets this name.
   *
   * <p>If there is a snapshot of this name, its digest stays beside the new one.
   *
   * @return whether it did, so that {@link #settle} has to follow
   */
  boolean announce(Path snapshot, SnapshotDigest digest) throws IOException {
    List<SnapshotDigest> either = new ArrayList<>(List.of(digest));
    if (Files.exists(snapshot)) {
      List<SnapshotDigest> present = new ArrayList<>();
      try {
        present.addAll(expectedOf(snapshot));
      } catch (IOException e) {
        LOG.warn("{}; it is replaced", e.getMessage());
      }
      if (present.isEmpty()) {
        present.add(SnapshotDigest.of(snapshot));
      }
      present.stream().filter(each -> !each.sameBytes(digest)).forEach(either::add);
    }
    write(snapshot, either);
    storage.forceDirectory(folder);
    return either.size() > 1;
  }

  /** {@code snapshot} has its name on disk: what had the name before is gone. */
  void settle(Path snapshot, SnapshotDigest digest) throws IOException {
    write(snapshot, List.of(digest));
  }

  private void write(Path snapshot, List<SnapshotDigest> digests) throws IOException {
    StringBuilder text = new StringBuilder();
    for (SnapshotDigest each : digests) {
      text.append(LENGTH).append(each.length());
      text.append(MODIFIED).append(each.modifiedMillis()).append('\n');
      text.append(each.sha256()).append(SEPARATOR).append(snapshot.getFileName()).append('\n');
    }
    String check = checkOf(text.toString());
    text.append(CHECK).append(check).append('\n');
    new AtomicFileWritingIdiom(
        fileFor(snapshot).toFile(),
        (AtomicFileWritingIdiom.OutputStreamStatement)
            out -> out.write(text.toString().getBytes(StandardCharsets.US_ASCII)));
  }

  /**
   * What {@code snapshot} was when it was written: one of these; nothing if nobody has written it
   * down.
   *
   * @throws IOException if the file with the digest is damaged
   */
  List<SnapshotDigest> expectedOf(Path snapshot) throws IOException {
    Path file = fileFor(snapshot);
    if (!Files.exists(file)) {
      return List.of();
    }
    String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    int check = text.lastIndexOf(CHECK);
    if (check < 0
        || !text.substring(check).equals(CHECK + checkOf(text.substring(0, check)) + '\n')) {
      throw new IOException(file + ", with the digest of a snapshot, is damaged");
    }
    List<SnapshotDigest> digests = new ArrayList<>();
    List<String> lines = text.substring(0, check).lines().toList();
    for (int i = 0; i + 1 < lines.size(); i += 2) {
      String[] head = lines.get(i).substring(LENGTH.length()).split(MODIFIED);
      digests.add(
          new SnapshotDigest(
              Long.parseLong(head[0]),
              lines.get(i + 1).split(SEPARATOR)[0],
              Long.parseLong(head[1])));
    }
    return digests;
  }

  /** Whether a snapshot seems to be as we have written it, by its length and its time. */
  boolean isAsWritten(File snapshot) {
    try {
      return expectedOf(snapshot.toPath()).stream()
          .anyMatch(
              each ->
                  each.length() == snapshot.length()
                      && each.modifiedMillis() == snapshot.lastModified());
    } catch (IOException e) {
      LOG.warn("{}; another snapshot is taken", e.getMessage());
      return false;
    }
  }

  private static String checkOf(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.ISO_8859_1));
    return String.format("%08x", crc.getValue());
  }

  /** Removes the digest of a snapshot that is not used any more. */
  void remove(Path snapshot) throws IOException {
    Files.deleteIfExists(fileFor(snapshot));
  }

  /** Removes what has no snapshot: the stock server's purge deletes snapshots alone. */
  void removeOrphans() throws IOException {
    List<Path> orphans;
    try (Stream<Path> files = Files.list(folder)) {
      orphans =
          files
              .filter(each -> each.getFileName().toString().startsWith(PREFIX))
              .filter(each -> !Files.exists(snapshotOf(each)))
              .toList();
    }
    for (Path each : orphans) {
      Files.deleteIfExists(each);
    }
  }

  private Path snapshotOf(Path digest) {
    return folder.resolve(digest.getFileName().toString().substring(PREFIX.length()));
  }
}
