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
package org.orcagrid.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The class paths of load processes. Libraries of other products are on none but their own
 * processes': each has a module of its own, built by the launcher {@code orca} when it is needed.
 */
public final class ClassPaths {
  /** The system property with the folder of the modules; the launcher sets it. */
  public static final String HOME = "orca.home";

  private static final String FILE = "target/runtime-classpath.txt";

  private ClassPaths() {}

  /**
   * Returns a product's class path, as for {@code java -cp}.
   *
   * @throws IOException if its module was not built
   */
  static String of(Product product) throws IOException {
    return of(product.module());
  }

  /**
   * The same of what is in a module, by the end of the module's name; empty for this one.
   *
   * @throws IOException if it was not built
   */
  public static String of(String name) throws IOException {
    if (name.isEmpty()) {
      return System.getProperty("java.class.path");
    }
    Path module = Path.of(System.getProperty(HOME, "")).resolve("bench/rival-" + name);
    Path file = module.resolve(FILE).toAbsolutePath();
    if (!Files.exists(file)) {
      throw new IOException(
          "There is no "
              + file
              + ", which names the jars of "
              + name
              + "; start with './orca compare', which makes it, or leave "
              + name
              + " out with --contenders.");
    }
    return module.resolve("target/classes").toAbsolutePath() + ":" + Files.readString(file).trim();
  }
}
