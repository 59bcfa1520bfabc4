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
package org.orcagrid.processes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.orcagrid.needs.Need;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Network namespaces on one bridge, one for each server, with the test on the bridge as well. Two
 * of them can be cut off from each other: packets between them are dropped without a word, and the
 * test still reaches both. Everything is made and removed with {@code ip}, and named after this
 * process.
 */
final class Namespaces implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Namespaces.class);
  private static final long PATIENCE_SECONDS = 20;

  private final int count;
  private final String name;
  private final String network;

  private Namespaces(int count) {
    long pid = ProcessHandle.current().pid();
    this.count = count;
    this.name = "orca" + pid % 100_000;
    this.network = "10.213." + pid % 250 + ".";
  }

  /** Whether this machine lets this user make them. */
  static final class Allowed implements Need {
    @Override
    public String what() {
      return "network namespaces (root, and apt-get install iproute2)";
    }

    @Override
    public String missing() throws InterruptedException {
      String probe = "orcaprobe" + ProcessHandle.current().pid() % 10_000;
      try {
        ip("netns", "add", probe);
        ip("netns", "del", probe);
        return null;
      } catch (IOException e) {
        return e.getMessage();
      }
    }
  }

  /** Makes so many namespaces, numbered from 1. */
  static Namespaces make(int count) throws IOException, InterruptedException {
    Namespaces all = new Namespaces(count);
    try {
      ip("link", "add", all.name, "type", "bridge");
      ip("addr", "add", all.network + "254/24", "dev", all.name);
      ip("link", "set", all.name, "up");
      for (int id = 1; id <= count; id++) {
        all.make(all.namespace(id), all.link(id), all.address(id));
      }
      return all;
    } catch (IOException | InterruptedException e) {
      all.close();
      throw e;
    }
  }

  private void make(String namespace, String link, String address)
      throws IOException, InterruptedException {
    ip("netns", "add", namespace);
    ip("link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", namespace);
    ip("link", "set", link, "master", name, "up");
    ip("-n", namespace, "addr", "add", address + "/24", "dev", "eth0");
    ip("-n", namespace, "link", "set", "eth0", "up");
    ip("-n", namespace, "link", "set", "lo", "up");
  }

  /** Returns the address of a namespace on the bridge. */
  String address(int id) {
    return network + id;
  }

  private String link(int id) {
    return name + "v" + id;
  }

  private String namespace(int id) {
    return name + "n" + id;
  }

  /** Returns what a command is to be preceded by to run there. */
  List<String> prefix(int id) {
    return List.of("ip", "netns", "exec", namespace(id));
  }

  /** Drops what one and all others send to each other; the test still reaches all of them. */
  void cutOff(int id) throws IOException, InterruptedException {
    forEachOther(id, "add");
  }

  /** Undoes {@link #cutOff}. */
  void heal(int id) throws IOException, InterruptedException {
    forEachOther(id, "del");
  }

  /** Drops what one sends to another from now on; what comes back still arrives. */
  void drop(int from, int to) throws IOException, InterruptedException {
    route(from, "add", to);
  }

  /** Undoes {@link #drop}. */
  void pass(int from, int to) throws IOException, InterruptedException {
    route(from, "del", to);
  }

  private void route(int from, String what, int to) throws IOException, InterruptedException {
    ip("-n", namespace(from), "route", what, "blackhole", address(to) + "/32");
  }

  private void forEachOther(int id, String what) throws IOException, InterruptedException {
    for (int other = 1; other <= count; other++) {
      if (other != id) {
        route(id, what, other);
        route(other, what, id);
      }
    }
  }

  private static void ip(String... arguments) throws IOException, InterruptedException {
    List<String> command = new java.util.ArrayList<>(List.of("ip"));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException(String.join(" ", command) + ": " + said.trim());
    }
  }

  @Override
  public void close() {
    for (int id = 1; id <= count; id++) {
      // Of itself it goes when the last process of the namespace has, which takes a while.
      remove("link", "del", link(id));
      remove("netns", "del", namespace(id));
    }
    remove("link", "del", name);
  }

  private static void remove(String... arguments) {
    try {
      ip(arguments);
    } catch (IOException e) {
      LOG.warn("Cannot be removed: {}", e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
