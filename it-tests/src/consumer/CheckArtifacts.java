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
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/**
 * Looks at what was published: {@code java CheckArtifacts.java REPOSITORY CHECKOUT VERSION
 * MODULE...}. Prints what is wrong, a line each, and ends with status 1 if there is anything.
 */
final class CheckArtifacts {
  private static final List<String> wrong = new ArrayList<>();
  private static int jars;

  public static void main(String[] arguments) throws IOException {
    Path repository = Path.of(arguments[0]).resolve("org/orcagrid");
    Path checkout = Path.of(arguments[1]);
    String version = arguments[2];
    byte[] license = Files.readAllBytes(checkout.resolve("LICENSE"));
    byte[] notice = Files.readAllBytes(checkout.resolve("NOTICE"));
    Map<String, String> modules = new HashMap<>();
    for (String module : Arrays.copyOfRange(arguments, 3, arguments.length)) {
      Path folder = repository.resolve(module).resolve(version);
      for (String classifier : List.of("", "-sources", "-javadoc", "-tests")) {
        Path jar = newest(folder, module, classifier + ".jar");
        if (jar == null) {
          if (!classifier.equals("-tests")) {
            wrong.add(
                module
                    + " has no "
                    + (classifier.isEmpty() ? "jar" : classifier.substring(1) + " jar"));
          }
          continue;
        }
        jars++;
        try (JarFile opened = new JarFile(jar.toFile())) {
          same(opened, "META-INF/LICENSE", license);
          same(opened, "META-INF/NOTICE", notice);
          if (classifier.isEmpty() || classifier.equals("-tests")) {
            manifest(opened, "Implementation-Version", version);
            String name =
                opened.getManifest().getMainAttributes().getValue("Automatic-Module-Name");
            String other =
                name == null ? "nothing" : modules.put(name, jar.getFileName().toString());
            if (other != null) {
              wrong.add(
                  jar.getFileName() + " has the module name " + name + ", as " + other + " has");
            }
          } else if (opened.stream().filter(entry -> !entry.isDirectory()).count() < 4) {
            wrong.add(jar.getFileName() + " is empty");
          }
        }
      }
      Path sbom = newest(folder, module, "-cyclonedx.json");
      if (sbom == null) {
        wrong.add(module + " has no SBOM (offline builds make none)");
      } else if (!Files.readString(sbom).contains("\"bomFormat\" : \"CycloneDX\"")) {
        wrong.add(sbom.getFileName() + " is not in CycloneDX' format");
      }
    }
    wrong.forEach(System.err::println);
    if (!wrong.isEmpty()) {
      System.exit(1);
    }
    System.out.println(
        "artifacts: "
            + jars
            + " jars of "
            + (arguments.length - 3)
            + " modules have LICENSE, NOTICE, sources, javadoc, names and SBOMs");
  }

  /**
   * The file of that ending; snapshots have a time and a number in their names. Null if there is
   * none.
   */
  private static Path newest(Path folder, String module, String ending) throws IOException {
    if (!Files.isDirectory(folder)) {
      return null;
    }
    try (var files = Files.list(folder)) {
      return files
          .filter(
              file ->
                  file.getFileName()
                      .toString()
                      .matches(
                          module
                              + "-[0-9][0-9A-Za-z.]*(-SNAPSHOT|-[0-9.]+-[0-9]+)?"
                              + ending.replace(".", "\\.")))
          .max(Path::compareTo)
          .orElse(null);
    }
  }

  private static void same(JarFile jar, String name, byte[] expected) throws IOException {
    ZipEntry entry = jar.getEntry(name);
    if (entry == null) {
      wrong.add(file(jar) + " has no " + name);
      return;
    }
    try (InputStream in = jar.getInputStream(entry)) {
      if (!Arrays.equals(expected, in.readAllBytes())) {
        wrong.add(name + " in " + file(jar) + " is not the one of this checkout");
      }
    }
  }

  private static void manifest(JarFile jar, String name, String expected) throws IOException {
    String value = jar.getManifest().getMainAttributes().getValue(name);
    if (!expected.equals(value)) {
      wrong.add(name + " of " + file(jar) + " is " + value + " and not " + expected);
    }
  }

  private static Path file(JarFile jar) {
    return Path.of(jar.getName()).getFileName();
  }
}
