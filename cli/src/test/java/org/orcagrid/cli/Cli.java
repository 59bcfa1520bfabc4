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

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/**
 * One command executed in this JVM.
 *
 * @param exitCode its exit status
 * @param out what it printed
 * @param err what it printed on standard error
 */
record Cli(int exitCode, String out, String err) {
  static Cli run(Object... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine commandLine =
        Orca.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    String[] words = List.of(args).stream().map(Object::toString).toArray(String[]::new);
    int exitCode = commandLine.execute(words);
    return new Cli(exitCode, out.toString(), err.toString());
  }

  /** A zoo.cfg's text. */
  static String cfg(Map<String, ?> settings) {
    StringBuilder text = new StringBuilder();
    settings.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
    return text.toString();
  }
}
