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
package org.orcagrid.geo.node;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;

/**
 * What all nodes of a store agree on, as an ensemble keeps it: lines as in {@code geo.cfg}, with a
 * version that grows with each change.
 *
 * @param version from 1
 * @param datacenters as in {@code geo.datacenters}
 * @param partitions fixed when the store is made
 * @param replicas of a partition in each datacenter
 * @param removed names of datacenters that were removed
 */
public record StoreRecord(
    long version, String datacenters, int partitions, int replicas, List<String> removed) {
  private static final String VERSION = "version";
  private static final String REMOVED = "geo.removed";

  /** Where records are. */
  @FunctionalInterface
  public interface Source {
    /** There is no ensemble. */
    Source NONE =
        (ensemble, store) -> {
          throw new IOException(
              "geo.ensemble is read by 'orca geo run' alone; give geo.datacenters instead");
        };

    /**
     * The record of a store.
     *
     * @param ensemble as in {@code geo.ensemble}
     * @throws IOException if there is none, or the ensemble does not answer
     */
    StoreRecord read(String ensemble, String store) throws IOException;
  }

  /** A copy that nobody changes. */
  public StoreRecord {
    removed = List.copyOf(removed);
  }

  /** The first of a store. */
  public static StoreRecord of(GeoPlan plan) {
    return new StoreRecord(1, plan.text(), plan.partitions(), plan.replicas(), List.of());
  }

  /** The next one, without a datacenter. */
  public StoreRecord without(String datacenter) {
    Set<String> all = new TreeSet<>(removed);
    all.add(datacenter);
    return new StoreRecord(version + 1, datacenters, partitions, replicas, new ArrayList<>(all));
  }

  /** The plan of its store. */
  GeoPlan plan(String name) {
    return new GeoPlan(name, GeoConfig.datacenters(datacenters), partitions, replicas, -1);
  }

  /** Its lines. */
  public String text() {
    return VERSION
        + "="
        + version
        + "\n"
        + GeoConfig.DATACENTERS
        + "="
        + datacenters
        + "\n"
        + GeoConfig.PARTITIONS
        + "="
        + partitions
        + "\n"
        + GeoConfig.REPLICAS
        + "="
        + replicas
        + "\n"
        + REMOVED
        + "="
        + String.join(",", removed)
        + "\n";
  }

  /**
   * Reads one.
   *
   * @throws IOException if these are not the lines of one
   */
  public static StoreRecord parse(String text) throws IOException {
    Properties lines = new Properties();
    lines.load(new StringReader(text));
    try {
      String removed = lines.getProperty(REMOVED, "");
      return new StoreRecord(
          Long.parseLong(lines.getProperty(VERSION)),
          lines.getProperty(GeoConfig.DATACENTERS),
          Integer.parseInt(lines.getProperty(GeoConfig.PARTITIONS)),
          Integer.parseInt(lines.getProperty(GeoConfig.REPLICAS)),
          removed.isEmpty() ? List.of() : List.of(removed.split(",")));
    } catch (NumberFormatException e) {
      throw new IOException("This is no record of a store: " + text.replace('\n', ' '), e);
    }
  }
}
