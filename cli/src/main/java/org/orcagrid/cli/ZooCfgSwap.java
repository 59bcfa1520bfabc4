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
package org.orcagrid.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A zoo.cfg whose server is restarted with other values. What it was stays beside it, as {@code
 * zoo.cfg.before}, until the server is healthy: a command that is cut off leaves it there.
 */
final class ZooCfgSwap {
  private final Path zooCfg;
  private final SettingsChange change;
  private final SettingsChange inverse;
  private final String text;
  private final Path next;
  private final Path before;
  private boolean back;

  private ZooCfgSwap(Path zooCfg, SettingsChange change) throws CommandFailure, IOException {
    this.zooCfg = zooCfg;
    this.change = change;
    this.before = zooCfg.resolveSibling(zooCfg.getFileName() + ".before");
    this.text = Files.readString(zooCfg);
    this.inverse = change.inverse(SettingsChange.parse(text));
    this.next = WholeFile.prepare(zooCfg, change.applyTo(text));
  }

  /**
   * Writes the new file beside the old one: what cannot be written is found before a stop.
   *
   * @param named a link stays one: it is the file behind it that changes
   */
  static ZooCfgSwap prepare(Path named, SettingsChange change) throws CommandFailure, IOException {
    Path zooCfg = Files.isSymbolicLink(named) ? named.toRealPath() : named;
    ZooCfgSwap swap = new ZooCfgSwap(zooCfg, change);
    Files.copy(
        zooCfg,
        swap.before,
        StandardCopyOption.COPY_ATTRIBUTES,
        StandardCopyOption.REPLACE_EXISTING);
    return swap;
  }

  /** Gives the file the new values. */
  void install() throws CommandFailure, IOException {
    String now = Files.readString(zooCfg);
    if (now.equals(text)) {
      WholeFile.replace(zooCfg, next);
    } else {
      // Until it stopped, the server may have followed a reconfiguration, and named its file here.
      WholeFile.write(zooCfg, change.applyTo(now));
    }
  }

  /** Takes the new values back; lines that the server has written meanwhile stay. */
  void takeBack() throws CommandFailure, IOException {
    WholeFile.write(zooCfg, inverse.applyTo(Files.readString(zooCfg)));
    back = true;
  }

  /** Whether the file has its old values again. */
  boolean isBack() {
    return back;
  }

  /** What the file was. */
  Path before() {
    return before;
  }

  /** The server is healthy: what the file was is needed no more. */
  void forget() throws IOException {
    Files.deleteIfExists(before);
  }
}
