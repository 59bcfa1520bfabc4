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
package org.orcagrid.mixed.store.geo;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.orcagrid.geo.Version;
import org.orcagrid.mixed.store.StoreException;
import org.orcagrid.mixed.track.VectorClock;

/**
 * Keys and values of a geo store, as the nodes of one datacenter serve them. It remembers nothing
 * of who asks: what a reader has seen is said with each read, as positions in the logs of the
 * datacenters' partitions.
 */
public interface GeoKeys {
  /** Where it writes. */
  String datacenter();

  /** All, in the same order everywhere. */
  List<String> datacenters();

  /**
   * Reads some keys, each as a replica has it that has all that was seen of its partition.
   *
   * @param seen positions by log
   * @throws BehindException if no replica that was asked has that in time, or it is not of this
   *     store
   */
  Look read(Collection<String> keys, VectorClock seen) throws StoreException;

  /**
   * Writes a key if it still is as it was read. Of writes in one datacenter, one wins at most; so a
   * key is written in one datacenter only.
   *
   * @param present as it was read
   */
  Written write(String key, byte[] value, Cell present) throws StoreException;

  /** What a key has. */
  final class Cell {
    /** A key that was never written. */
    public static final Cell NONE = new Cell(null, Version.NONE, null);

    private final byte[] value;
    private final Version version;
    private final String log;

    /**
     * One.
     *
     * @param value null for none; it does not change
     * @param log that the write is in: a datacenter and a partition; null for none
     */
    public Cell(byte[] value, Version version, String log) {
      this.value = value;
      this.version = version;
      this.log = log;
    }

    byte[] value() {
      return value;
    }

    /** Which write it is. */
    public Version version() {
      return version;
    }

    /** The position of the write. */
    public VectorClock clock() {
      return log == null ? VectorClock.NONE : VectorClock.of(log, version.position());
    }
  }

  /**
   * What came of a write.
   *
   * @param isDone whether the key was as it was expected
   * @param clock position of the write, or of the one that was there instead
   */
  record Written(boolean isDone, VectorClock clock) {}

  /**
   * What was read.
   *
   * @param everywhere of what was asked for and found, what all replicas have
   */
  record Look(Map<String, Cell> cells, VectorClock everywhere) {
    /** What a key has. */
    public Cell cell(String key) {
      return cells.getOrDefault(key, Cell.NONE);
    }
  }

  /** Replicas do not have by now what was asked for. */
  final class BehindException extends StoreException {
    private static final long serialVersionUID = 1;

    /** One that says what is missing. */
    public BehindException(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
