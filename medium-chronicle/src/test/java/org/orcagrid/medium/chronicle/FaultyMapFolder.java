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
package org.orcagrid.medium.chronicle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/**
 * A folder whose power can be cut. It knows of each file what was forced; from a power cut on each
 * sector is as it was then or as it was last seen, a file whose name was not synced may be gone,
 * and one that was deleted may be back. Chronicle Map writes to real files meanwhile.
 *
 * <p>Operations are counted, and the one with a certain number goes wrong.
 */
final class FaultyMapFolder implements MapFolder {
  private static final int SECTOR_BYTES = 512;

  private static final List<String> NAMES = List.of("map-1", "map-2", "manifest");

  private final Path folder;
  private final SplittableRandom random;
  private final Map<String, byte[]> forced = new HashMap<>();
  private int operations;
  private int faultAt = Integer.MAX_VALUE;
  private boolean struck;

  /** An empty folder. */
  FaultyMapFolder(Path folder, long seed) {
    this.folder = folder;
    this.random = new SplittableRandom(seed);
    NAMES.forEach(each -> write(each, null));
  }

  int operations() {
    return operations;
  }

  /** The operation with this number, from 1 on, goes wrong, and the process is gone. */
  void planFault(int at) {
    faultAt = at;
  }

  boolean hasStruck() {
    return struck;
  }

  /** A process starts again. */
  void restart() {
    struck = false;
  }

  /** The power comes back. */
  void restartAfterPowerCut() {
    restart();
    double written = List.of(0.0, 0.5, 1.0, random.nextDouble()).get(random.nextInt(4));
    for (String each : NAMES) {
      byte[] kept = forced.get(each);
      byte[] seen = read(each);
      byte[] survivor = random.nextDouble() < written ? seen : kept;
      // The manifest is forced under another name before it gets its own.
      if (survivor != null && seen != null && !each.equals("manifest")) {
        survivor = mix(kept == null ? new byte[0] : kept, seen, written);
      }
      write(each, survivor);
      if (survivor == null) {
        forced.remove(each);
      } else {
        forced.put(each, survivor);
      }
    }
  }

  private byte[] mix(byte[] kept, byte[] seen, double written) {
    byte[] mixed = Arrays.copyOf(kept, random.nextBoolean() ? seen.length : kept.length);
    for (int at = 0; at < Math.min(mixed.length, seen.length); at += SECTOR_BYTES) {
      if (random.nextDouble() < written) {
        int bytes = Math.min(SECTOR_BYTES, Math.min(mixed.length, seen.length) - at);
        System.arraycopy(seen, at, mixed, at, bytes);
      }
    }
    return mixed;
  }

  private byte[] read(String name) {
    try {
      Path file = folder.resolve(name);
      return Files.exists(file) ? Files.readAllBytes(file) : null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(String name, byte[] content) {
    try {
      if (content == null) {
        Files.deleteIfExists(folder.resolve(name));
      } else {
        Files.write(folder.resolve(name), content);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the operation takes place. */
  private boolean begin() throws IOException {
    checkThere();
    operations++;
    struck = operations == faultAt;
    return !struck;
  }

  private void checkThere() throws IOException {
    if (struck) {
      throw new IOException("Nobody is there any more");
    }
  }

  private static String name(int file) {
    return "map-" + file;
  }

  @Override
  public Path path(int file) {
    return folder.resolve(name(file));
  }

  @Override
  public long size(int file) throws IOException {
    checkThere();
    return Files.exists(path(file)) ? Files.size(path(file)) : -1;
  }

  @Override
  public int head(int file) throws IOException {
    checkThere();
    CRC32C crc = new CRC32C();
    crc.update(read(name(file)), 0, Math.min(4096, (int) size(file)));
    return (int) crc.getValue();
  }

  @Override
  public void copy(int from, int to) throws IOException {
    boolean done = begin();
    byte[] content = read(name(from));
    write(name(to), done ? content : Arrays.copyOf(content, random.nextInt(content.length)));
    checkThere();
  }

  @Override
  public void delete(int file) throws IOException {
    if (begin() || random.nextBoolean()) {
      write(name(file), null);
    }
    checkThere();
  }

  @Override
  public void force(int file) throws IOException {
    if (begin() || random.nextInt(3) == 0) {
      forced.put(name(file), read(name(file)));
    }
    checkThere();
  }

  @Override
  public ByteBuffer readManifest() throws IOException {
    checkThere();
    byte[] manifest = read("manifest");
    return manifest == null ? null : ByteBuffer.wrap(manifest);
  }

  @Override
  public void writeManifest(ByteBuffer manifest) throws IOException {
    boolean done = begin();
    if (done || random.nextBoolean()) {
      byte[] bytes = new byte[manifest.remaining()];
      manifest.get(manifest.position(), bytes);
      write("manifest", bytes);
    }
    if (done) {
      forced.put("manifest", read("manifest"));
    }
    checkThere();
  }

  @Override
  public String path(String name) {
    return folder.resolve(name).toString();
  }

  @Override
  public void close() {
    // What is in the folder outlives whoever has opened it.
  }
}
