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

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.persistence.FilePadding;
import org.apache.zookeeper.server.persistence.FileSnap;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.server.persistence.Util;
import org.orcagrid.server.EmbeddedEnsemble;

/** The data folder of a server that has worked, and copies of it to be hurt. */
final class DataFolder {

  private static final int NODES = 400;
  private static final int SERVERS = 3;
  private static final long PADDING_BYTES = 1 << 16;
  private static final String SNAP_COUNT = "zookeeper.snapCount";

  private final Path original;

  private DataFolder(Path original) {
    this.original = original;
  }

  /** Lets an ensemble work below {@code dir}; what all its servers have had since is on disk. */
  static DataFolder afterWork(Path dir) throws Exception {
    long padding = FilePadding.getPreAllocSize();
    FileTxnLog.setPreallocSize(PADDING_BYTES);
    System.setProperty(SNAP_COUNT, "150");
    try (EmbeddedEnsemble ensemble = new EmbeddedEnsemble(dir, SERVERS, Map.of())) {
      for (int i = 1; i <= SERVERS; i++) {
        // Epochs of two digits, of which one can be cut off.
        Path version = Files.createDirectories(dir.resolve("server" + i).resolve("version-2"));
        Files.writeString(version.resolve(QuorumPeer.CURRENT_EPOCH_FILENAME), "41");
        Files.writeString(version.resolve(QuorumPeer.ACCEPTED_EPOCH_FILENAME), "41");
      }
      // Two epochs: what is between them is at the end of a log and at the beginning of another.
      for (int half = 0; half < 2; half++) {
        ensemble.start();
        ZooKeeper client = EmbeddedEnsemble.connect(ensemble.connectString(0));
        work(client, half * NODES / 2);
        // Its session is not closed: its ephemeral nodes stay.
        ensemble.stop(1);
        ensemble.stop(2);
        ensemble.stop(0);
        client.close(1);
      }
    } finally {
      System.clearProperty(SNAP_COUNT);
      FileTxnLog.setPreallocSize(padding);
    }
    return new DataFolder(dir.resolve("server1"));
  }

  private static void work(ZooKeeper client, int first) throws Exception {
    Random random = new Random(first);
    for (int i = first; i < first + NODES / 2; i++) {
      byte[] data =
          switch (i % 8) {
            case 0 -> new byte[0];
            case 1 -> new byte[600];
            case 2 -> i % 5 == 0 ? new byte[2_000] : new byte[5];
            default -> new byte[random.nextInt(100)];
          };
      if (i % 8 > 2) {
        random.nextBytes(data);
      }
      CreateMode mode = i % 10 == 3 ? CreateMode.EPHEMERAL : CreateMode.PERSISTENT;
      client.create("/n" + i, data, Ids.OPEN_ACL_UNSAFE, mode);
      if (i % 20 == 5) {
        client.setData("/n" + (i - 1), data, -1);
        client.delete("/n" + (i - 5), -1);
      }
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.list(original.resolve("version-2"))) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /** All of its files, taken apart. */
  List<FileRegion> regions() throws IOException {
    List<FileRegion> regions = new ArrayList<>();
    for (Path file : files()) {
      String name = file.getFileName().toString();
      if (name.startsWith("log.")) {
        regions.addAll(FileRegions.ofLog(original, file));
      } else if (name.startsWith("snapshot.")) {
        regions.addAll(FileRegions.ofSnapshot(original, file));
      } else {
        regions.addAll(FileRegions.ofText(original, file));
      }
    }
    return regions;
  }

  /** The newest snapshot, below the folder. */
  Path newestSnapshot() throws IOException {
    return snapshots().get(0);
  }

  private List<Path> snapshots() throws IOException {
    List<File> newestFirst =
        new FileSnap(original.resolve("version-2").toFile())
            .findNRecentSnapshots(Integer.MAX_VALUE);
    return newestFirst.stream().map(each -> original.relativize(each.toPath())).toList();
  }

  private static Path snapshotBefore(long zxid, List<Path> newestFirst) {
    return newestFirst.stream()
        .filter(each -> numberOf(each, FileSnap.SNAPSHOT_FILE_PREFIX) < zxid)
        .findFirst()
        .orElseThrow();
  }

  private long firstLogged() throws IOException {
    return files().stream()
        .filter(each -> Util.isLogFileName(each.getFileName().toString()))
        .mapToLong(each -> numberOf(each, FileTxnLog.LOG_FILE_PREFIX))
        .min()
        .orElseThrow();
  }

  private static long numberOf(Path file, String prefix) {
    return Util.getZxidFromName(file.getFileName().toString(), prefix);
  }

  /**
   * Makes {@code copy} what the original is, with the times of its files.
   *
   * @param hurt what will be damaged: of a log every transaction has to be needed, so that only the
   *     snapshot before the first log is copied
   */
  void copyTo(Path copy, FileRegion hurt) throws IOException {
    List<Path> snapshots = snapshots();
    List<Path> left = new ArrayList<>();
    if (hurt != null && hurt.name().startsWith("log")) {
      // A server that joins late gets a snapshot from its leader, and its log begins behind that.
      Path before = snapshotBefore(firstLogged(), snapshots);
      left.addAll(snapshots);
      left.remove(before);
    }
    Path version = copy.resolve("version-2");
    Files.createDirectories(version);
    try (Stream<Path> before = Files.list(version)) {
      for (Path each : before.toList()) {
        Files.delete(each);
      }
    }
    for (Path file : files()) {
      if (left.contains(original.relativize(file))) {
        continue;
      }
      Files.copy(file, version.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
    }
  }
}
