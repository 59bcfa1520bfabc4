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
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import org.orcagrid.server.settings.OrcaConfigException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns whatever a command threw into one sentence on standard error and an exit status. */
final class FailureReport implements IExecutionExceptionHandler, IParameterExceptionHandler {
  /** Starts every sentence, so that a parent process finds it in a child's output. */
  static final String PREFIX = "orca: ";

  private final Orca root;

  FailureReport(Orca root) {
    this.root = root;
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult result) {
    return print(e, command.getErr(), root.verbose());
  }

  /** Prints what a command threw; returns its exit status. */
  static int print(Exception e, PrintWriter err, boolean verbose) {
    int exitCode = 1;
    if (e instanceof CommandFailure failure) {
      failure.evidence().forEach(line -> err.println("  | " + line));
      exitCode = failure.exitCode();
    }
    err.println(PREFIX + sentence(e));
    if (verbose) {
      e.printStackTrace(err);
    }
    err.flush();
    if (e instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    return exitCode;
  }

  @Override
  public int handleParseException(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    String problem = problem(e);
    command
        .getErr()
        .println(
            PREFIX
                + problem
                + (problem.endsWith(".") || problem.endsWith("?") ? " See '" : "; see '")
                + command.getCommandSpec().qualifiedName()
                + " --help'.");
    command.getErr().flush();
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  /** What picocli lists as unmatched, in our words: a misspelt command or option, or too much. */
  private static String problem(ParameterException e) {
    if (!(e instanceof UnmatchedArgumentException unmatched)
        || unmatched.getUnmatched().isEmpty()) {
      return oneLine(e.getMessage());
    }
    CommandLine command = e.getCommandLine();
    String first = unmatched.getUnmatched().get(0);
    if (first.startsWith("-")) {
      String name = first.contains("=") ? first.substring(0, first.indexOf('=')) : first;
      return "'"
          + command.getCommandSpec().qualifiedName()
          + "' has no option '"
          + name
          + "'"
          + didYouMean(Nearest.to(name, command.getCommandSpec().optionsMap().keySet()));
    }
    return command.getSubcommands().isEmpty()
        ? "'" + command.getCommandSpec().qualifiedName() + "' takes no argument '" + first + "'"
        : noSuchCommand(command, first);
  }

  /** Names a command that there is not, and the one that was probably meant. */
  static String noSuchCommand(CommandLine parent, String name) {
    return "There is no command '"
        + parent.getCommandSpec().qualifiedName()
        + " "
        + name
        + "'"
        + didYouMean(Nearest.to(name, parent.getSubcommands().keySet()));
  }

  private static String didYouMean(Optional<String> nearest) {
    return nearest.map(word -> "; did you mean '" + word + "'?").orElse("");
  }

  /** Returns what is printed of {@code e}: one sentence that names the thing and the fix. */
  static String sentence(Exception e) {
    if (e instanceof CommandFailure || e instanceof OrcaConfigException) {
      // ZooKeeper's own words, when they are passed on, lack the end of a sentence.
      String sentence = oneLine(e.getMessage());
      return sentence.endsWith(".") || sentence.endsWith("?") ? sentence : sentence + ".";
    }
    if (e instanceof InterruptedException) {
      return "Interrupted before the command was done; run it again.";
    }
    if (e instanceof FileSystemException file) {
      return "Cannot use "
          + file.getFile()
          + " ("
          + reason(file)
          + "); check that it is there, whose it is, and its permissions.";
    }
    String what = e.getMessage() == null ? "" : ": " + oneLine(e.getMessage());
    return "Unexpected " + e.getClass().getSimpleName() + what + "; --verbose shows where.";
  }

  /** Java gives these exceptions no words of their own. */
  static String reason(FileSystemException e) {
    if (e.getReason() != null) {
      return e.getReason();
    }
    if (e instanceof AccessDeniedException) {
      return "no permission";
    }
    if (e instanceof FileAlreadyExistsException) {
      return "it is not a folder";
    }
    if (e instanceof NoSuchFileException) {
      return "it is not there";
    }
    return e.getClass().getSimpleName();
  }

  private static String oneLine(String text) {
    return text == null ? "" : text.strip().replaceAll("\\s*\\R\\s*", " ");
  }
}
