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

import java.util.List;

/**
 * A failure that was expected: its message is one sentence that names the thing and the fix. The
 * command line prints it without a stack trace and exits with {@link #exitCode()}.
 */
public final class CommandFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final int exitCode;
  private final transient List<String> evidence;

  /** A failure with exit status 1. */
  public CommandFailure(String sentence) {
    this(sentence, 1, List.of(), null);
  }

  /** A failure with exit status 1 whose cause {@code --verbose} shows. */
  public CommandFailure(String sentence, Throwable cause) {
    this(sentence, 1, List.of(), cause);
  }

  private CommandFailure(String sentence, int exitCode, List<String> evidence, Throwable cause) {
    super(sentence, cause);
    this.exitCode = exitCode;
    this.evidence = List.copyOf(evidence);
  }

  /** A failure that shows lines of a log before its sentence. */
  static CommandFailure withEvidence(String sentence, List<String> evidence) {
    return new CommandFailure(sentence, 1, evidence, null);
  }

  /** Arguments that picocli could not know to be wrong; exit status 2. */
  static CommandFailure usage(String sentence) {
    return new CommandFailure(sentence, 2, List.of(), null);
  }

  /** Returns the exit status that this failure stands for. */
  public int exitCode() {
    return exitCode;
  }

  /** Returns the lines to print before the sentence, often none. */
  List<String> evidence() {
    return evidence == null ? List.of() : evidence;
  }
}
