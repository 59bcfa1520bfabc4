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
package org.orcagrid.bench.compare.sites;

import java.util.Locale;

/** A way of using a product. */
public enum SiteContender {
  /** Ours, where reads may be of any age. */
  GEO_EVENTUAL(
      SiteProduct.GEO,
      "Orca geo, eventual",
      "eventual",
      "A write returns when two of the site's three nodes have forced it to disk: it survives a"
          + " crash of all nodes, with any two disks of the site. Reads at any replica of the"
          + " site."),
  /** Ours with session guarantees. */
  GEO_SESSION(
      SiteProduct.GEO,
      "Orca geo, sessions",
      "session",
      "The same, and a session sees all that it has read and written, at both sites; its writes win"
          + " over what it has seen."),
  /** Infinispan whose store is forced. */
  INFINISPAN_FORCED(
      SiteProduct.INFINISPAN,
      "Infinispan, forced",
      "forced",
      "REPL_SYNC with a soft-index file store and `sync-writes`: a write returns when all three"
          + " nodes of the site have forced it to disk, and survives with any one disk. Reads at a"
          + " key's primary owner. A node that is cut off may lose or split what was written"
          + " (default partition handling)."),
  /** Infinispan with its store's default. */
  INFINISPAN_WRITTEN(
      SiteProduct.INFINISPAN,
      "Infinispan, written",
      "written",
      "The same store with its default: written, never forced. A crash of the machines loses what"
          + " their kernels had not written."),
  /** Infinispan without a store: an extra, which promises less. */
  INFINISPAN_MEMORY(
      SiteProduct.INFINISPAN,
      "Infinispan, memory only (extra)",
      "memory",
      "No store: a crash of all nodes of a site leaves only what the other site has. It promises"
          + " less than the others, and is here as an extra.");

  private final SiteProduct product;
  private final String title;
  private final String variant;
  private final String promise;

  SiteContender(SiteProduct product, String title, String variant, String promise) {
    this.product = product;
    this.title = title;
    this.variant = variant;
    this.promise = promise;
  }

  /** Whose processes run it. */
  SiteProduct product() {
    return product;
  }

  /** Its name for people. */
  String title() {
    return title;
  }

  /** Its name in files and on the command line. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** How the product is used, in the words of its load target. */
  String variant() {
    return variant;
  }

  /** When a write returns, and what survives. */
  String promise() {
    return promise;
  }

  boolean isOurs() {
    return product == SiteProduct.GEO;
  }
}
