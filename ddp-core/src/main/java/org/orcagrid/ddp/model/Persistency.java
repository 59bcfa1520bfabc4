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
package org.orcagrid.ddp.model;

import java.util.Arrays;
import java.util.List;

/** When a write becomes durable: the five of DDP (section 2.2 and Table 2), and never. */
public enum Persistency {
  /** At all nodes before it completes, whether it is visible there by then or not. */
  STRICT(
      "strict",
      "everywhere, when it completes",
      "at all nodes when the write completes, even where it is not visible yet"),
  /** With each node's copy, before it is visible there. */
  SYNCHRONOUS(
      "synchronous", "where and when it is visible", "at each node when it becomes visible there"),
  /** Before it is read. */
  READ_ENFORCED(
      "read-enforced",
      "before it is read",
      "before it is read: what nobody has read may be lost, and a read waits until what it shows"
          + " cannot be"),
  /** With its scope, when that is persisted. */
  SCOPE(
      "scope",
      "with its scope",
      "with all other writes of its scope, at all nodes, when the scope is persisted; until then"
          + " none of them is"),
  /** Some time. */
  EVENTUAL("eventual", "some time", "at each node some time: the last moments may be lost"),
  /** Never: nodes have it in memory alone. Ours, not the paper's. */
  NONE(
      "none",
      "never",
      "nowhere: nodes have it in memory alone, write nothing of it to a medium, and get it from"
          + " each other when they start again");

  private final String id;
  private final String durabilityPoint;
  private final String durability;

  Persistency(String id, String durabilityPoint, String durability) {
    this.id = id;
    this.durabilityPoint = durabilityPoint;
    this.durability = durability;
  }

  /** The five of the paper, in its order. */
  public static List<Persistency> ofPaper() {
    return Arrays.stream(values()).filter(Persistency::isOfPaper).toList();
  }

  /** Whether it is one of the paper's five. */
  public boolean isOfPaper() {
    return this != NONE;
  }

  /** Whether anything is written to a durable medium at all. */
  public boolean isOnMedium() {
    return this != NONE;
  }

  /** Its name in settings and commands. */
  public String id() {
    return id;
  }

  /** When a write is durable, in the few words of Table 2. */
  public String durabilityPoint() {
    return durabilityPoint;
  }

  /** When a write is durable, for people: the rest of a sentence. */
  public String durability() {
    return durability;
  }

  /** Whether a node persists a version before it shows or acknowledges it. */
  public boolean isBeforeVisible() {
    return this == STRICT || this == SYNCHRONOUS;
  }

  /** Whether a write completes only when all nodes have persisted it. */
  public boolean isBeforeCompletion() {
    return this == STRICT;
  }

  /** Whether a read waits for what it shows to be persisted. */
  public boolean isBeforeRead() {
    return this == READ_ENFORCED;
  }

  /** Whether writes are persisted scope by scope. */
  public boolean isByScope() {
    return this == SCOPE;
  }
}
