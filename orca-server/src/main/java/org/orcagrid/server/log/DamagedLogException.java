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
package org.orcagrid.server.log;

import java.io.IOException;
import java.nio.file.Path;

/** Transactions that were durable are not in the log; a server does not start without them. */
public final class DamagedLogException extends IOException {

  private static final long serialVersionUID = 1;

  DamagedLogException(Path file, long offset, String found) {
    this(
        "The transaction log " + file + " is damaged at byte " + offset + ": " + found,
        "; or, to give up what follows, cut the file there (truncate -s "
            + offset
            + "), move the later log files away and delete "
            + DurableMarkFile.NAME
            + " beside it.");
  }

  DamagedLogException(String what, String orElse) {
    super(
        what
            + ". The server does not start, since it would lose what was durable. If a majority"
            + " of the other servers is well, move this server's version-2 folders away and start"
            + " it: its leader sends the state. Else restore the folders from a backup"
            + orElse);
  }
}
