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
package org.orcagrid.transport.rdma;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.orcagrid.transport.tcp.MappedZones;
import org.orcagrid.transport.tcp.ZoneSettings;

/**
 * Persistent memory as a device ({@code /dev/dax0.0}), or as a file on a file system with DAX,
 * mapped. Stores are made durable by writing the processor's cache lines back.
 *
 * <p>What a peer has written and flushed is durable when it has left the network card for memory
 * that outlives a loss of power: see {@link ZoneSettings}.
 */
final class MappedMemory implements MappedZones {
  /** As large as a page of such memory may be. */
  private static final int ALIGNMENT = 2 << 20;

  private static final long BYTES_MAX = 1 << 30;
  private static final Path DEVICES = Path.of("/sys/bus/dax/devices");

  private final long memory;
  private final ByteBuffer bytes;
  private boolean closed;

  private MappedMemory(long memory) throws IOException {
    this.memory = memory;
    this.bytes = Verbs.memoryBytes(memory).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Maps it.
   *
   * @throws IOException if it is none, if it cannot be mapped, or if what peers write into it is
   *     not known to be durable
   */
  static MappedMemory open(ZoneSettings settings) throws IOException {
    NativeLibrary.require();
    if (!Verbs.canPersist()) {
      throw new IOException(
          "Zones want an x86_64 processor: of others this library cannot write caches" + " back");
    }
    Path path = settings.memory();
    boolean isFile = Files.isRegularFile(path);
    if (!isFile && (!Files.exists(path) || !path.startsWith("/dev"))) {
      throw new IOException(
          path
              + " is no device of persistent memory: make one with ndctl create-namespace -m"
              + " devdax, and name it as in /dev/dax0.0");
    }
    requireDurable(path, isFile, settings.cardBypassesCaches());
    long size = isFile ? Files.size(path) : deviceBytes(path);
    int mapped = (int) (Math.min(size, BYTES_MAX) / ALIGNMENT * ALIGNMENT);
    if (mapped == 0) {
      throw new IOException(path + " has " + size + " bytes; zones want 2 MB at least");
    }
    try {
      return new MappedMemory(Verbs.mapMemory(path.toString(), isFile, mapped));
    } catch (IOException e) {
      throw new IOException(
          path
              + " cannot be mapped as persistent memory: "
              + e.getMessage()
              + (isFile ? ". Is it on a file system that is mounted with DAX?" : ""),
          e);
    }
  }

  private static long deviceBytes(Path path) throws IOException {
    return Long.parseLong(Files.readString(device(path).resolve("size")).trim());
  }

  private static Path device(Path path) throws IOException {
    Path device = DEVICES.resolve(path.getFileName());
    if (!Files.isDirectory(device)) {
      throw new IOException(path + " is no device of persistent memory: " + device + " is missing");
    }
    return device;
  }

  /**
   * What a card writes goes into the processor's caches on many hosts (DDIO), which lose it with
   * the power, unless the platform empties its caches into memory then.
   */
  private static void requireDurable(Path path, boolean isFile, boolean bypassesCaches)
      throws IOException {
    if (bypassesCaches || isDomainOfCaches(path, isFile)) {
      return;
    }
    throw new IOException(
        "Of what peers write into "
            + path
            + " it is not known that it survives a loss of power: this host's caches do not"
            + " (persistence_domain of its region is not cpu_cache), and a network card writes into"
            + " them unless DDIO is switched off for it. If it is, say so:"
            + " ZoneSettings.cardBypassesCaches");
  }

  private static boolean isDomainOfCaches(Path path, boolean isFile) throws IOException {
    if (isFile) {
      return false;
    }
    Path at = device(path).toRealPath();
    while (at != null) {
      Path domain = at.resolve("persistence_domain");
      if (Files.isRegularFile(domain, LinkOption.NOFOLLOW_LINKS)) {
        return "cpu_cache".equals(Files.readString(domain).trim());
      }
      at = at.getParent();
    }
    return false;
  }

  @Override
  public ByteBuffer bytes() {
    return bytes;
  }

  @Override
  public void persist(int at, int count) {
    try {
      Verbs.persist(memory, at, count);
    } catch (IOException e) {
      throw new IllegalStateException("Stores cannot be made durable: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      Verbs.unmapMemory(memory);
    }
  }
}
