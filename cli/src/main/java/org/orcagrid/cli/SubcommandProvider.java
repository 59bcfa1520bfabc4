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

/**
 * How another module adds a command to {@code orca}: implement this with a public no-argument
 * constructor and name the class in {@code META-INF/services/org.orcagrid.cli.SubcommandProvider}.
 *
 * <p>Providers are loaded at every start of the command line, so constructing one must be cheap. A
 * command reports an expected failure by throwing {@link CommandFailure}.
 */
public interface SubcommandProvider {

  /**
   * Returns a new command object: a class with picocli's {@code @Command}, including its name, that
   * is {@link Runnable} or {@link java.util.concurrent.Callable} of an exit status.
   */
  Object subcommand();

  /**
   * Returns the name of the command of {@code orca} that gets the subcommand, such as {@code rdma};
   * empty for {@code orca} itself.
   */
  default String group() {
    return "";
  }
}
