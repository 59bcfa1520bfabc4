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
package org.orcagrid.ddp.replica.log;

/** The durable medium of a map's log, as its replica sees it. */
public interface LogMedium {

  /**
   * Appends a record to the durable medium, which makes it durable soon, and tells the replica so.
   *
   * @param eager whether somebody waits for it; otherwise it has time
   * @return its position, greater than all before
   */
  long persist(LogRecord record, boolean eager);

  /**
   * No record of this map before this position is needed any more: its room may be used again, and
   * it may or may not be there after a crash.
   *
   * @param live bytes of the versions that a checkpoint from there on has
   */
  void trim(long position, long live);
}
