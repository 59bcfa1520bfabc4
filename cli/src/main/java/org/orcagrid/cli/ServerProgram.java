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

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The Java program of a server process: the JVM that runs this code starts it with {@code java
 * JVM-FLAGS -cp CLASS-PATH MAIN-CLASS ARGUMENTS ZOO.CFG}.
 *
 * @param mainClass a class with a main method whose last argument is the path of a zoo.cfg
 * @param arguments what comes before the zoo.cfg
 * @param classPath as for {@code java -cp}
 * @param jvmFlags in the order of the command line
 */
public record ServerProgram(
    String mainClass, List<String> arguments, String classPath, List<String> jvmFlags) {

  /** Copies the lists. */
  public ServerProgram {
    arguments = List.copyOf(arguments);
    jvmFlags = List.copyOf(jvmFlags);
  }

  /**
   * The system property with the class path of servers; the launcher sets it. Without it a server
   * has that of this JVM.
   */
  private static final String CLASS_PATH = "orca.server.classPath";

  /** Returns {@code orca server run} with the class path of servers. */
  public static ServerProgram orca() {
    return ours(Orca.class.getName(), List.of("server", "run"));
  }

  /** Returns {@code orca grid run} with the class path of servers. */
  public static ServerProgram gridNode() {
    return ours(Orca.class.getName(), List.of("grid", "run"));
  }

  /** Returns {@code orca geo run} with the class path of servers. */
  public static ServerProgram geoNode() {
    return ours(Orca.class.getName(), List.of("geo", "run"));
  }

  /** Returns stock ZooKeeper's server with the same class path, logging as ours does. */
  public static ServerProgram stock() {
    return ours("org.apache.zookeeper.server.quorum.QuorumPeerMain", List.of());
  }

  /** Returns the same program with these flags after those that it has. */
  public ServerProgram withJvmFlags(List<String> flags) {
    List<String> all = new ArrayList<>(jvmFlags);
    all.addAll(flags);
    return new ServerProgram(mainClass, arguments, classPath, all);
  }

  /** Returns the same program on another class path. */
  public ServerProgram withClassPath(String newClassPath) {
    return new ServerProgram(mainClass, arguments, newClassPath, jvmFlags);
  }

  /** Ours does so once it has locked the data folder, so that a loser never overwrites it. */
  boolean writesPidFile() {
    return mainClass.equals(Orca.class.getName());
  }

  /**
   * Returns the command of a process in the background.
   *
   * @param zooCfg its configuration
   * @param log where it writes its log, unless flags of the program choose another configuration
   */
  List<String> command(Path zooCfg, Path log) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-D" + LogConfig.FILE_PROPERTY + "=" + log);
    command.addAll(jvmFlags);
    command.addAll(environmentFlags());
    command.add("-cp");
    command.add(classPath);
    command.add(mainClass);
    command.addAll(arguments);
    command.add(zooCfg.toString());
    return command;
  }

  /** What {@code ORCA_JVM_FLAGS} asks for; the launchers give it to servers that they run too. */
  private static List<String> environmentFlags() {
    String flags = System.getenv("ORCA_JVM_FLAGS");
    return flags == null || flags.isBlank() ? List.of() : List.of(flags.trim().split("\\s+"));
  }

  /** Returns the class path of servers, which has no harness on it, as for {@code java -cp}. */
  public static String serverClassPath() {
    return System.getProperty(CLASS_PATH, System.getProperty("java.class.path"));
  }

  private static ServerProgram ours(String mainClass, List<String> arguments) {
    return new ServerProgram(
        mainClass,
        arguments,
        serverClassPath(),
        // Netty's epoll is native, and a JVM of 24 or later warns of that unless it was asked for.
        // DiSNI, where a grid's nodes talk over RDMA, looks into buffers.
        List.of(
            "-Xshare:auto",
            "--enable-native-access=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            LogConfig.FILE.jvmFlag()));
  }
}
