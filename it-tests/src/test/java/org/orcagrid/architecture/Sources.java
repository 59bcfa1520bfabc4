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
package org.orcagrid.architecture;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The sources of all modules, as far as their lengths go. */
final class Sources {
  /** Something of so many lines. */
  record Length(String name, long lines) {}

  private final Path root;

  Sources() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(folder.resolve(".mvn"))) {
      folder = folder.getParent();
    }
    root = folder;
  }

  /** The source files of all modules, of programs and of tests. */
  List<Path> files() throws IOException {
    return under("src");
  }

  /** The source files of all modules without their tests. */
  List<Path> programs() throws IOException {
    return under("src/main/java");
  }

  /** A path as it is written down in the repository. */
  String name(Path file) {
    return root.relativize(file).toString();
  }

  private List<Path> under(String folder) throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> modules = Files.list(root)) {
      for (Path module : modules.filter(each -> Files.exists(each.resolve("pom.xml"))).toList()) {
        Path sources = module.resolve(folder);
        if (Files.isDirectory(sources)) {
          try (Stream<Path> all = Files.walk(sources)) {
            all.filter(each -> each.toString().endsWith(".java")).sorted().forEach(files::add);
          }
        }
      }
    }
    return files;
  }

  List<Length> fileLengths() throws IOException {
    List<Length> lengths = new ArrayList<>();
    for (Path file : files()) {
      lengths.add(new Length(name(file), Files.readAllLines(file).size()));
    }
    return lengths;
  }

  List<Length> methodLengths() throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<Length> lengths = new ArrayList<>();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  manager,
                  null,
                  List.of("-proc:none"),
                  null,
                  manager.getJavaFileObjectsFromPaths(files()));
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      for (CompilationUnitTree unit : task.parse()) {
        String file = name(Path.of(unit.getSourceFile().toUri()));
        new MethodLengths(unit, positions, file, lengths).scan(unit, null);
      }
    }
    return lengths;
  }

  private static final class MethodLengths extends TreeScanner<Void, Void> {
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final String file;
    private final List<Length> lengths;

    MethodLengths(
        CompilationUnitTree unit, SourcePositions positions, String file, List<Length> lengths) {
      this.unit = unit;
      this.positions = positions;
      this.file = file;
      this.lengths = lengths;
    }

    @Override
    public Void visitMethod(MethodTree method, Void unused) {
      LineMap lines = unit.getLineMap();
      long first = lines.getLineNumber(positions.getStartPosition(unit, method));
      long last = lines.getLineNumber(positions.getEndPosition(unit, method));
      lengths.add(new Length(file + " " + method.getName(), last - first + 1));
      return super.visitMethod(method, null);
    }
  }
}
