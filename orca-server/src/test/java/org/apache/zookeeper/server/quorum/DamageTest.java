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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Damages each kind of bytes in a server's data folder, and looks at what a start makes of it.
 *
 * <p>The server was stopped in good order, so that all of it was durable. A start must show all of
 * it, or be refused by a message that names the file. A stock server starts from the same damage,
 * for comparison.
 */
class DamageTest {

  /** How often each kind of region is damaged; 0 for every region there is, in every way. */
  private static final int TIMES = Integer.getInteger("damages", 1);

  private static final int SECTOR_BYTES = 512;
  private static final long SEED = Long.getLong("seed", 20260);
  private static final List<String> ZXIDS = List.of("zxid");

  @FunctionalInterface
  private interface Reader {
    Map<String, String> read(Path dir) throws IOException;
  }

  private enum Way {
    FLIP,
    ZERO,
    OTHER,
    SECTOR,
    CUT
  }

  /** What became of the damage to one kind of bytes. */
  private static final class Outcomes {
    private int same;
    private int refused;
    private int lost;

    @Override
    public String toString() {
      return same + " | " + refused + " | " + lost;
    }
  }

  /** One kind of server. */
  private static final class Server {
    private final Reader reader;
    private final Map<String, String> expected;
    private final Map<String, Outcomes> outcomes = new TreeMap<>();
    private final List<String> losses = new ArrayList<>();
    private final List<String> nameless = new ArrayList<>();

    Server(Reader reader, Map<String, String> expected) {
      this.reader = reader;
      this.expected = expected;
    }

    void start(FileRegion region, Way way, String damage, Path dir) {
      Outcomes kind =
          outcomes.computeIfAbsent(
              region.name() + (way == Way.CUT ? ", cut" : ""), name -> new Outcomes());
      try {
        Map<String, String> found = reader.read(dir);
        if (found.equals(expected)) {
          kind.same++;
        } else {
          kind.lost++;
          losses.add(damage + ": " + difference(found));
        }
      } catch (IOException | RuntimeException e) {
        kind.refused++;
        if (!messagesOf(e).contains(region.file().getFileName().toString())) {
          nameless.add(damage + ": " + messagesOf(e));
        }
      }
    }

    private String difference(Map<String, String> found) {
      List<String> missing = new ArrayList<>();
      expected.forEach(
          (key, value) -> {
            if (!value.equals(found.get(key))) {
              missing.add(key);
            }
          });
      return missing.size()
          + " differ, as "
          + missing.subList(0, Math.min(3, missing.size()))
          + (ZXIDS.stream().anyMatch(missing::contains) ? ", up to " + found.get("zxid") : "");
    }

    private static String messagesOf(Throwable thrown) {
      StringBuilder all = new StringBuilder();
      for (Throwable each = thrown; each != null; each = each.getCause()) {
        all.append(each).append(" / ");
      }
      return all.toString();
    }
  }

  @TempDir Path dir;

  private final Random random = new Random(SEED);

  @Test
  @Timeout(value = 2, unit = TimeUnit.HOURS)
  void noDamageTakesWhatWasDurableInSilence() throws Exception {
    DataFolder folder = DataFolder.afterWork(dir.resolve("work"));
    Path copy = dir.resolve("copy");
    folder.copyTo(copy, null);
    Map<String, String> byStock = RestoredState.byStock(copy);
    folder.copyTo(copy, null);
    Map<String, String> byOurs = RestoredState.byOurs(copy);
    Map<String, String> common = new TreeMap<>(byOurs);
    assertEquals("true", common.remove("promise"));
    assertEquals(byStock, common, "both read the same from what is not damaged");

    Server ours = new Server(RestoredState::byOurs, byOurs);
    Server stock = new Server(RestoredState::byStock, byStock);
    for (FileRegion region : chosen(folder.regions(), folder.newestSnapshot())) {
      for (Way way : ways(region)) {
        long seed = random.nextLong();
        for (Server server : List.of(ours, stock)) {
          folder.copyTo(copy, region);
          String damage = damage(copy, region, way, new Random(seed));
          server.start(region, way, damage, copy);
        }
      }
    }
    report(ours, stock);
    assertEquals(List.of(), ours.losses, "what our server lost in silence");
    assertEquals(List.of(), ours.nameless, "refusals that do not name the file");
    assertTrue(!stock.losses.isEmpty(), "stock loses some, or this test sees nothing");
  }

  private List<FileRegion> chosen(List<FileRegion> all, Path newest) {
    if (TIMES == 0) {
      return all;
    }
    Map<String, List<FileRegion>> kinds = new TreeMap<>();
    all.forEach(each -> kinds.computeIfAbsent(each.name(), name -> new ArrayList<>()).add(each));
    List<FileRegion> chosen = new ArrayList<>();
    for (List<FileRegion> kind : kinds.values()) {
      Collections.shuffle(kind, random);
      // First what the start needs: of a snapshot, the newest.
      kind.sort(Comparator.comparing(each -> !newest.equals(each.file())));
      chosen.addAll(kind.subList(0, Math.min(TIMES, kind.size())));
    }
    return chosen;
  }

  private List<Way> ways(FileRegion region) {
    if (region.length() == 0) {
      return List.of(Way.CUT);
    }
    List<Way> others = List.of(Way.ZERO, Way.OTHER, Way.SECTOR, Way.CUT);
    return TIMES == 0
        ? List.of(Way.values())
        : List.of(Way.FLIP, others.get(random.nextInt(others.size())));
  }

  /** Damages a file as a disk does: its times stay as they are. */
  private static String damage(Path copy, FileRegion region, Way way, Random random)
      throws IOException {
    Path file = copy.resolve(region.file());
    FileTime modified = Files.getLastModifiedTime(file);
    long at = region.offset() + (way == Way.CUT ? 0 : random.nextInt(region.length()));
    String change;
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      if (way == Way.CUT) {
        bytes.setLength(at);
        change = "cut";
      } else if (way == Way.SECTOR) {
        long from = at - at % SECTOR_BYTES;
        bytes.seek(from);
        bytes.write(new byte[(int) Math.min(SECTOR_BYTES, bytes.length() - from)]);
        change = "its sector to zeros";
      } else {
        bytes.seek(at);
        int before = bytes.read();
        int after =
            switch (way) {
              case FLIP -> before ^ 1 << random.nextInt(Byte.SIZE);
              case ZERO -> 0;
              default -> random.nextInt(1 << Byte.SIZE);
            };
        if (after == before) {
          after ^= 0x40;
        }
        bytes.seek(at);
        bytes.write(after);
        change = "0x%02x to 0x%02x".formatted(before, after);
      }
    }
    Files.setLastModifiedTime(file, modified);
    return "%s, %s, byte %d, %s".formatted(region.file(), region.name(), at, change);
  }

  private static void report(Server ours, Server stock) throws IOException {
    StringBuilder text =
        new StringBuilder(
            "| bytes | ours: same | refused | lost | stock: same | refused | lost |\n");
    text.append("|---|---:|---:|---:|---:|---:|---:|\n");
    ours.outcomes.forEach(
        (name, outcome) ->
            text.append("| %s | %s | %s |%n".formatted(name, outcome, stock.outcomes.get(name))));
    text.append("\nLost by ours:\n");
    ours.losses.forEach(each -> text.append(each).append('\n'));
    text.append("\nRefused by ours without the file's name:\n");
    ours.nameless.forEach(each -> text.append(each).append('\n'));
    text.append("\nLost by stock:\n");
    stock.losses.forEach(each -> text.append(each).append('\n'));
    Path table = Path.of("target", "damage.md");
    Files.createDirectories(table.getParent());
    Files.writeString(table, text);
    System.out.println(text);
  }
}
