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
package org.orcagrid.bench.faults;

import java.util.Locale;

/**
 * What a crash was felt by.
 *
 * @param crash who crashed
 * @param operation what clients of the servers that were left did meanwhile
 */
public record Outage(Crash crash, Operation operation) {

  /** Who crashes. */
  public enum Crash {
    /** A follower of the active set. */
    FOLLOWER,
    /** The leader. */
    LEADER;

    /** Returns what people read. */
    public String title() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What clients do. */
  public enum Operation {
    /** Set the data of a node. */
    WRITE("writes"),
    /** Read what has been written just before, which is not durable yet. */
    READ_NEW("reads of what was just written"),
    /** Read what has long been durable. */
    READ_DURABLE("reads of what is durable");

    private final String title;

    Operation(String title) {
      this.title = title;
    }

    /** Returns what people read. */
    public String title() {
      return title;
    }
  }
}
