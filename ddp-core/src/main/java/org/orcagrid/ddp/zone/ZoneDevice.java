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
package org.orcagrid.ddp.zone;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A node's persistent memory for zones: a page that says what it is made for, and a zone for each
 * worker and place of the grid. What is in the zones is never given up because the settings have
 * changed: then this refuses.
 */
public final class ZoneDevice {
  private static final int PAGE_BYTES = 4096;
  private static final long MAGIC = 0x31445A4F5A43524FL;

  private static final int NODES_AT = 8;
  private static final int WORKERS_AT = 12;
  private static final int GRID_AT = 16;
  private static final int ZONE_BYTES_AT = 24;
  private static final int ID_AT = 32;
  private static final int CHECKSUM_AT = 40;

  private static final int CHUNK_BYTES = 1 << 20;

  private final ZoneMemory memory;
  private final ByteBuffer bytes;
  private final int nodes;
  private final int workers;
  private final int zoneBytes;

  private ZoneDevice(ZoneMemory memory, int nodes, int workers, int zoneBytes) {
    this.memory = memory;
    this.bytes = memory.bytes().duplicate().order(ByteOrder.LITTLE_ENDIAN);
    this.nodes = nodes;
    this.workers = workers;
    this.zoneBytes = zoneBytes;
  }

  /**
   * The zones in this memory; made if there are none.
   *
   * @param newId what the memory is known by from now on, if there are none
   * @throws IOException if it is too small, damaged, or has records in zones of another grid's
   *     shape
   */
  public static ZoneDevice open(ZoneMemory memory, int nodes, int workers, long newId)
      throws IOException {
    int room = (memory.bytes().limit() - PAGE_BYTES) / nodes / workers;
    int zoneBytes = Math.min(ZoneMemory.BYTES_MAX, room / PAGE_BYTES * PAGE_BYTES);
    ZoneDevice device = new ZoneDevice(memory, nodes, workers, zoneBytes);
    if (zoneBytes < ZoneMemory.BYTES_MIN) {
      throw new IOException(
          "Zones for "
              + nodes
              + " places and "
              + workers
              + " workers need "
              + (PAGE_BYTES + (long) PAGE_BYTES * nodes * workers)
              + " bytes at least, and there are "
              + memory.bytes().limit());
    }
    if (device.bytes.getLong(0) != MAGIC) {
      device.format(0, newId);
      return device;
    }
    if (device.bytes.getLong(CHECKSUM_AT) != device.checksum()) {
      throw new IOException(
          "The first page of the zones is damaged: records may be in them that no log has."
              + " If the other nodes have all, clear the memory and start this node with none");
    }
    device.requireShape();
    return device;
  }

  private void requireShape() throws IOException {
    int nodesThen = bytes.getInt(NODES_AT);
    int workersThen = bytes.getInt(WORKERS_AT);
    int zoneBytesThen = bytes.getInt(ZONE_BYTES_AT);
    if (nodesThen == nodes && workersThen == workers && zoneBytesThen == zoneBytes) {
      return;
    }
    String then =
        "zones of "
            + zoneBytesThen
            + " bytes that were made for "
            + nodesThen
            + " places and "
            + workersThen
            + " workers";
    long needed = PAGE_BYTES + (long) nodesThen * workersThen * zoneBytesThen;
    if (needed > bytes.limit()) {
      throw new IOException(
          "There were " + then + ", and the memory has shrunk to " + bytes.limit() + " bytes");
    }
    if (!new ZoneDevice(memory, nodesThen, workersThen, zoneBytesThen).isEmpty()) {
      throw new IOException(
          "There are records in "
              + then
              + ": start the node as it was once more, and close it in order, before it has "
              + nodes
              + " and "
              + workers
              + " in zones of "
              + zoneBytes
              + " bytes");
    }
    format(bytes.getLong(GRID_AT), id());
  }

  /** What the memory is known by. */
  public long id() {
    return bytes.getLong(ID_AT);
  }

  private long checksum() {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes.slice(0, CHECKSUM_AT));
    return checksum.getValue();
  }

  /**
   * There are zones when the first eight bytes are there; nothing before. All is cleared: frames of
   * zones that were elsewhere must not be taken for those of a life that is counted anew.
   */
  private void format(long grid, long id) {
    bytes.putLong(0, 0);
    memory.persist(0, Long.BYTES);
    byte[] nothing = new byte[CHUNK_BYTES];
    for (int at = 0; at < bytes.limit(); at += CHUNK_BYTES) {
      int count = Math.min(CHUNK_BYTES, bytes.limit() - at);
      bytes.put(at, nothing, 0, count);
      memory.persist(at, count);
    }
    bytes.putInt(NODES_AT, nodes).putInt(WORKERS_AT, workers).putInt(ZONE_BYTES_AT, zoneBytes);
    bytes.putLong(ID_AT, id);
    writeGrid(grid);
  }

  private void writeGrid(long grid) {
    // Not there while it changes: nothing is in the zones then.
    bytes.putLong(0, 0);
    memory.persist(0, Long.BYTES);
    bytes.putLong(GRID_AT, grid).putLong(0, MAGIC);
    long checksum = checksum();
    bytes.putLong(0, 0).putLong(CHECKSUM_AT, checksum);
    memory.persist(0, PAGE_BYTES);
    bytes.putLong(0, MAGIC);
    memory.persist(0, Long.BYTES);
  }

  /**
   * Is told which grid the node is of, before records are looked for.
   *
   * @throws IOException if there are records of another one
   */
  public void use(long grid) throws IOException {
    long then = bytes.getLong(GRID_AT);
    if (then == grid) {
      return;
    }
    if (then != 0 && !isEmpty()) {
      throw new IOException(
          "There are records of another grid in the zones: give this node memory of its"
              + " own, or clear that if nobody needs them");
    }
    writeGrid(grid);
  }

  /** Whether there are no records in any zone. */
  public boolean isEmpty() {
    for (ZoneMemory zone : zones()) {
      if (!new PeerZone(zone, ZoneRule.all()).isEmpty()) {
        return false;
      }
    }
    return true;
  }

  private List<ZoneMemory> zones() {
    List<ZoneMemory> zones = new ArrayList<>();
    for (int worker = 0; worker < workers; worker++) {
      zones.addAll(zones(worker));
    }
    return zones;
  }

  /** A worker's zones, by the peers who write into them. */
  public List<ZoneMemory> zones(int worker) {
    List<ZoneMemory> zones = new ArrayList<>();
    for (int peer = 0; peer < nodes; peer++) {
      zones.add(zone(worker, peer));
    }
    return zones;
  }

  private ZoneMemory zone(int worker, int peer) {
    int at = PAGE_BYTES + (worker * nodes + peer) * zoneBytes;
    ByteBuffer part = bytes.slice(at, zoneBytes).order(ByteOrder.LITTLE_ENDIAN);
    return new ZoneMemory() {
      @Override
      public ByteBuffer bytes() {
        return part;
      }

      @Override
      public void persist(int from, int count) {
        memory.persist(at + from, count);
      }
    };
  }
}
