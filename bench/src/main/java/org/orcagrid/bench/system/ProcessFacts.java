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
package org.orcagrid.bench.system;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What Linux and the JVM's own tools say of a process. */
public final class ProcessFacts {
  private static final Pattern HEAP_USED = Pattern.compile("total \\d+K, used (\\d+)K");
  private static final Pattern DIRECT =
      Pattern.compile("Other \\(reserved=\\d+KB, committed=(\\d+)KB");
  private static final long JCMD_SECONDS_MAX = 60;
  private static final double MEGABYTE = 1024 * 1024;

  private final long pid;

  /** Those of a process that this one has started. */
  public ProcessFacts(Process process) {
    this.pid = process.pid();
  }

  private Path proc(String file) {
    return Path.of("/proc", Long.toString(pid), file);
  }

  private long status(String name) throws IOException {
    for (String line : Files.readAllLines(proc("status"))) {
      if (line.startsWith(name + ":")) {
        return Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    throw new IOException("There is no " + name + " in " + proc("status"));
  }

  /** Megabytes that are in memory. */
  public double residentMegabytes() throws IOException {
    return status("VmRSS") * 1024 / MEGABYTE;
  }

  /** The most megabytes that were in memory at one time. */
  public double peakMegabytes() throws IOException {
    return status("VmHWM") * 1024 / MEGABYTE;
  }

  /** Threads that the program has made, and the first one, in which it began. */
  public int ownThreads() throws IOException {
    long first = threadNames().stream().filter("java"::equals).count();
    return (int) (threadNames().stream().filter(each -> each.startsWith("orca")).count() + first);
  }

  /** Names of threads, as far as Linux keeps them. */
  public List<String> threadNames() throws IOException {
    try (Stream<Path> all = Files.list(proc("task"))) {
      return all.map(ProcessFacts::name).sorted().toList();
    }
  }

  private static String name(Path task) {
    try {
      return Files.readString(task.resolve("comm")).strip();
    } catch (IOException e) {
      // It has ended since it was listed.
      return "ended";
    }
  }

  /** Bytes of objects that are in use, after a collection. */
  public long heapBytes() throws IOException, InterruptedException {
    jcmd("GC.run");
    long sum = 0;
    Matcher used = HEAP_USED.matcher(jcmd("GC.heap_info"));
    while (used.find()) {
      sum += Long.parseLong(used.group(1)) * 1024;
    }
    return sum;
  }

  /** Bytes outside the heap that the program has asked for; of a JVM that tracks them. */
  public long directBytes() throws IOException, InterruptedException {
    Matcher other = DIRECT.matcher(jcmd("VM.native_memory"));
    return other.find() ? Long.parseLong(other.group(1)) * 1024 : 0;
  }

  private String jcmd(String what) throws IOException, InterruptedException {
    Path program = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    Process process =
        new ProcessBuilder(program.toString(), Long.toString(pid), what)
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(JCMD_SECONDS_MAX, TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new IOException("jcmd does not answer: " + said);
    }
    return said;
  }
}
