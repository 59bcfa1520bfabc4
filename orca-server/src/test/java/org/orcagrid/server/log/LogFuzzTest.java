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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.persistence.FilePadding;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.txn.CreateTxn;
import org.apache.zookeeper.txn.TxnHeader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.crash.ForgetfulStorage;

/**
 * Random lives of a log: what is appended, forced, rolled and truncated, in several epochs, ends
 * with a power cut at any operation on the disk, a kill or a clean stop.
 *
 * <p>{@code -Dlives=20000} runs that many; {@code -Dseed=N} begins with the seed of a failure.
 */
@Timeout(600)
class LogFuzzTest {
  private static final int LIVES = Integer.getInteger("lives", 300);
  private static final int LIVES_OF_A_LOG = 6;
  private static final long SEED = Long.getLong("seed", 1);
  private static final long EPOCH = 1L << 32;

  @TempDir Path temporary;

  private final long padding = FilePadding.getPreAllocSize();
  private ForgetfulStorage disk;
  private Path dir;

  /** What was appended, in order, and not truncated. */
  private List<Long> appended;

  /** The last of them that was said to be on disk. */
  private long persisted;

  /** What the marks may say at most, if a truncation has not come to its end. */
  private long claimable;

  private long nextZxid;
  private int losses;

  @AfterEach
  void restorePadding() {
    FileTxnLog.setPreallocSize(padding);
  }

  @Test
  void noPowerCutKillOrStopMakesALogUnfit() throws IOException {
    for (long seed = SEED; seed < SEED + LIVES / LIVES_OF_A_LOG; seed++) {
      Random random = begin(seed);
      for (int life = 0; life < LIVES_OF_A_LOG; life++) {
        String where = "-Dseed=" + seed + ", life " + life;
        try {
          live(random);
          assertWhole(restored(), persisted, where);
        } catch (IOException e) {
          throw new AssertionError(where + ": " + e.getMessage(), e);
        }
      }
    }
  }

  @Test
  void noDamageLosesWhatIsKnownToBeDurable() throws IOException {
    int refused = 0;
    for (long seed = SEED; seed < SEED + LIVES; seed++) {
      Random random = begin(seed);
      live(random);
      if (random.nextBoolean()) {
        assertWhole(restored(), persisted, "-Dseed=" + seed);
        live(random);
      }
      NavigableMap<Long, DurableMark> marks = DurableMarkFile.read(folder());
      long durable = marks.isEmpty() ? 0 : marks.lastEntry().getValue().zxid();
      assertTrue(
          durable <= Math.max(claimable, persisted),
          "-Dseed=" + seed + ": more is called durable than was forced");
      List<String> damage = damage(random);
      String where = "-Dseed=" + seed + " " + damage;
      try {
        assertKept(restored(), durable, where);
      } catch (DamagedLogException e) {
        refused++;
        assertTrue(e.getMessage().contains(folder() + "/log."), e::getMessage);
      } catch (IOException e) {
        throw new AssertionError(where, e);
      }
    }
    assertTrue(refused > LIVES / 4, "only " + refused + " of " + LIVES + " were refused");
    assertTrue(losses < LIVES / 4, losses + " lost what lies above the durable position");
  }

  private Path folder() {
    return dir.resolve("version-2");
  }

  private Random begin(long seed) throws IOException {
    Random random = new Random(seed);
    FileTxnLog.setPreallocSize(new long[] {0, 4_096, 65_536}[random.nextInt(3)]);
    dir = temporary.resolve("log" + seed + "-" + System.nanoTime());
    disk = new ForgetfulStorage(false, new UnforcedStorage());
    appended = new ArrayList<>();
    persisted = 0;
    claimable = 0;
    nextZxid = 1;
    new FileTxnSnapLog(dir.toFile(), dir.toFile())
        .save(new DataTree(), new ConcurrentHashMap<>(), false);
    return random;
  }

  private OrcaTxnSnapLog open() throws IOException {
    return new OrcaTxnSnapLog(dir.toFile(), dir.toFile(), disk);
  }

  private void live(Random random) throws IOException {
    int end = random.nextInt(4);
    if (end > 1) {
      disk.powerCutAfter(random.nextInt(80));
    }
    OrcaTxnSnapLog log = null;
    try {
      log = open();
      work(log, random);
    } catch (IOException e) {
      if (!String.valueOf(e.getMessage()).contains("No power")) {
        throw e;
      }
    }
    if (end > 0) {
      disk.powerCut();
    }
    if (log != null) {
      close(log, end > 0);
    }
    if (end > 1) {
      disk.lose(random);
    } else {
      disk.killed();
    }
  }

  private static void close(OrcaTxnSnapLog log, boolean withoutPower) throws IOException {
    try {
      log.log().close();
    } catch (IOException e) {
      if (!withoutPower) {
        throw e;
      }
    }
  }

  private void work(OrcaTxnSnapLog log, Random random) throws IOException {
    if (random.nextInt(3) == 0) {
      nextZxid = (nextZxid / EPOCH + 1) * EPOCH + 1;
    }
    int operations = 1 + random.nextInt(60);
    for (int i = 0; i < operations; i++) {
      int kind = random.nextInt(40);
      if (kind < 25) {
        long zxid = nextZxid++;
        appended.add(zxid);
        log.append(create(zxid, random));
      } else if (kind < 30) {
        log.log().writeOut();
      } else if (kind < 36) {
        log.commit();
        persisted = Math.max(persisted, log.log().persisted());
      } else if (kind < 39) {
        log.rollLog();
        persisted = appended.isEmpty() ? 0 : appended.get(appended.size() - 1);
      } else if (!appended.isEmpty()) {
        truncate(log, random);
      }
    }
  }

  private void truncate(OrcaTxnSnapLog log, Random random) throws IOException {
    log.commit();
    persisted = appended.get(appended.size() - 1);
    int left = random.nextInt(appended.size());
    long zxid = appended.get(left);
    // It may come to nothing, or not.
    persisted = zxid;
    claimable = appended.get(appended.size() - 1);
    if (log.truncateLog(zxid)) {
      claimable = zxid;
      appended.subList(left + 1, appended.size()).clear();
      nextZxid = (nextZxid / EPOCH + 1) * EPOCH + 1;
    } else {
      throw new IOException("No power");
    }
  }

  private static Request create(long zxid, Random random) {
    int bytes =
        switch (random.nextInt(12)) {
          case 0 -> 3_000;
          case 1 -> 600 + random.nextInt(900);
          case 2 -> random.nextInt(20) == 0 ? 300_000 : 2_000;
          default -> random.nextInt(80);
        };
    byte[] data = new byte[bytes];
    if (random.nextInt(4) > 0) {
      Arrays.fill(data, (byte) (1 + zxid));
    }
    CreateTxn txn = new CreateTxn("/n" + zxid, data, Ids.OPEN_ACL_UNSAFE, false, (int) zxid);
    TxnHeader header = new TxnHeader(1, (int) zxid, zxid, zxid, OpCode.create);
    return new Request(1, (int) zxid, OpCode.create, header, txn, zxid);
  }

  private List<Long> restored() throws IOException {
    List<Long> found = new ArrayList<>();
    OrcaTxnSnapLog log = open();
    try {
      log.restore(
          new DataTree(),
          new ConcurrentHashMap<>(),
          (header, txn, digest) -> found.add(header.getZxid()));
    } finally {
      log.log().close();
      disk.killed();
    }
    return found;
  }

  /** What was found is what was appended, and all that had to be found. */
  private void assertWhole(List<Long> found, long atLeast, String where) {
    long last = found.isEmpty() ? 0 : found.get(found.size() - 1);
    assertTrue(last >= atLeast, () -> where + ": " + last + " instead of " + atLeast);
    assertEquals(appended.subList(0, Math.min(found.size(), appended.size())), found, where);
    appended = new ArrayList<>(found);
    persisted = last;
    claimable = last;
    nextZxid = last + 1;
  }

  /** Nothing is missing up to {@code durable}; behind it whole files may, as nothing tells. */
  private void assertKept(List<Long> found, long durable, String where) {
    assertEquals(
        appended.stream().filter(zxid -> zxid <= durable).toList(),
        found.stream().filter(zxid -> zxid <= durable).toList(),
        where);
    assertTrue(appended.containsAll(found), where);
    losses += found.contains(persisted) || persisted == 0 ? 0 : 1;
  }

  private List<String> damage(Random random) throws IOException {
    List<Path> logs;
    try (Stream<Path> files = Files.list(folder())) {
      logs =
          files
              .filter(each -> each.getFileName().toString().startsWith("log."))
              .filter(each -> each.toFile().length() > 0)
              .sorted()
              .toList();
    }
    if (logs.isEmpty()) {
      return List.of("none");
    }
    Path file = logs.get(random.nextInt(logs.size()));
    byte[] bytes = Files.readAllBytes(file);
    int content = bytes.length;
    while (content > 1 && bytes[content - 1] == 0) {
      content--;
    }
    int at = random.nextInt(content);
    int kind = random.nextInt(8);
    switch (kind) {
      case 0 -> Files.delete(file);
      case 1 -> truncate(file, at);
      case 2 -> overwrite(file, at / 512 * 512L, new byte[512]);
      case 3 -> overwrite(file, at, new byte[1 + random.nextInt(8)]);
      default -> overwrite(file, at, new byte[] {(byte) (bytes[at] ^ 1 << random.nextInt(8))});
    }
    return List.of(file.toString(), "kind " + kind, "byte " + at);
  }

  private static void truncate(Path file, long length) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(length);
    }
  }

  private static void overwrite(Path file, long at, byte[] bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(bytes), at);
    }
  }
}
