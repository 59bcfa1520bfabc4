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
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The JDK's {@code keytool}, as a process: Java has no public interface that makes certificates.
 * Passwords come from files, so that no list of processes shows them.
 */
final class Keytool {
  private static final long SECONDS_MAX = 120;

  private final Path program;
  private final Path folder;

  private Keytool(Path program, Path folder) {
    this.program = program;
    this.folder = folder;
  }

  /**
   * The tool of the JVM that runs this; the files that it is given are named from {@code folder}.
   */
  static Keytool in(Path folder) throws CommandFailure {
    Path bin = Path.of(System.getProperty("java.home"), "bin");
    for (String name : List.of("keytool", "keytool.exe")) {
      if (Files.isExecutable(bin.resolve(name))) {
        return new Keytool(bin.resolve(name), folder);
      }
    }
    throw new CommandFailure(
        "There is no keytool in " + bin + "; set JAVA_HOME to a JDK that has it.");
  }

  /**
   * Makes a key pair with a certificate that it has signed itself.
   *
   * @param store the name of a PKCS12 file without {@code .p12}; its password is in the file of
   *     that name with {@code .password}
   */
  void makeKeyPair(String store, String name, int days, String... extensions)
      throws CommandFailure, IOException, InterruptedException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-genkeypair",
                "-alias",
                store,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                name,
                "-validity",
                Integer.toString(days)));
    addExtensions(arguments, extensions);
    run(arguments, store);
  }

  /**
   * Has an authority sign the certificate of {@code store}; returns the file with it.
   *
   * @param authorities the folder with the authority's store, whose keys stay there
   */
  Path sign(String store, Path authorities, String authority, int days, String... extensions)
      throws CommandFailure, IOException, InterruptedException {
    String request = store + ".request";
    run(List.of("-certreq", "-alias", store, "-file", request), store);
    String signed = store + ".signed";
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-gencert",
                "-alias",
                authority,
                "-infile",
                request,
                "-outfile",
                signed,
                "-rfc",
                "-validity",
                Integer.toString(days)));
    addExtensions(arguments, extensions);
    run(arguments, authorities.resolve(authority).toString());
    Files.delete(folder.resolve(request));
    return folder.resolve(signed);
  }

  private static void addExtensions(List<String> arguments, String... extensions) {
    for (String extension : extensions) {
      arguments.add("-ext");
      arguments.add(extension);
    }
  }

  private void run(List<String> arguments, String store)
      throws CommandFailure, IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(program.toString());
    // Its sentences are passed on; it is over before the optimising compiler would pay.
    command.addAll(
        List.of("-J-Duser.language=en", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
    command.addAll(arguments);
    command.addAll(
        List.of(
            "-storetype",
            "PKCS12",
            "-keystore",
            store + ".p12",
            "-storepass:file",
            store + ".password"));
    Path output = Files.createTempFile(folder, "keytool", ".txt");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    process.getOutputStream().close();
    try {
      boolean ended = process.waitFor(SECONDS_MAX, TimeUnit.SECONDS);
      if (!ended || process.exitValue() != 0) {
        throw new CommandFailure(
            program
                + " "
                + arguments.get(0)
                + (ended
                    ? " failed: " + Files.readString(output, Charset.defaultCharset()).strip()
                    : " does not end; try it again"));
      }
    } finally {
      process.destroyForcibly();
      Files.delete(output);
    }
  }
}
