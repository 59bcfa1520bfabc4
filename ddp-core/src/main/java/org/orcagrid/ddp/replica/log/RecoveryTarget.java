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

import java.util.Map;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.Write;

/** Who takes what a log says. */
public interface RecoveryTarget {

  /**
   * A log was read to its end.
   *
   * @param latest the latest version of each key
   * @param mark the last mark, null if there was none
   * @param clock the latest that the log names beside those of versions
   * @param bytes of all records
   */
  void recovered(Map<Key, Write> latest, LogRecord.Mark mark, long clock, long bytes);
}
