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
package org.orcagrid.ddp.durable.segment;

/**
 * Files whose process can end and whose power can be cut. Operations that change something are
 * counted, and the one with a certain number goes wrong.
 */
public interface CrashableFiles extends SegmentFiles {

  /** What happens at the operation that goes wrong. */
  enum Fault {
    /** The power is cut. */
    POWER_CUT,
    /** The process ends; what it has written stays. */
    KILL,
    /**
     * The device refuses. What it was to write is gone, and still in the kernel's memory, marked as
     * written: what Linux does.
     */
    REFUSAL
  }

  /** How many operations there were. */
  int operations();

  /** The operation with this number, from 1 on, goes wrong. */
  void planFault(Fault kind, int at);

  /** Whether the fault has come since the last start. */
  boolean hasStruck();

  /** A process starts again; the memory of the kernel is as it was. */
  void restart();

  /** The power comes back: of what was not forced nobody knows what is there. */
  void restartAfterPowerCut();
}
