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
package org.orcagrid.bench.compare.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a load process is told when it is started.
 *
 * @param self which of the processes this is, from 0
 * @param ports where each process's node listens, or the server that is nearest to it; on loopback
 * @param data what is stored
 * @param pressure how hard it is loaded
 * @param use what of the product is used
 */
public record LoadSettings(int self, List<Integer> ports, Data data, Pressure pressure, Use use) {
  /** The address of all nodes. */
  public static final String HOST = "127.0.0.1";

  /**
   * What is stored.
   *
   * @param keys keys, all of which have a value; a key has 8 bytes
   * @param valueBytes bytes of a value
   */
  public record Data(int keys, int valueBytes) {}

  /**
   * How hard each process loads.
   *
   * @param depth operations that are under way at a time
   * @param threads threads that make them, or the workers of a node that makes them in its own
   */
  public record Pressure(int depth, int threads) {
    /** Operations that one thread has under way. */
    public int depthOfThread() {
      return Math.max(1, depth / threads);
    }
  }

  /**
   * What of a product is used.
   *
   * @param variants in the words of its {@link LoadTarget}; each has data of its own
   * @param folder where the processes may keep what is durable: this one in a folder of its own
   */
  public record Use(List<String> variants, Path folder) {
    /** Keeps a copy. */
    public Use {
      variants = List.copyOf(variants);
    }
  }

  /** Keeps a copy. */
  public LoadSettings {
    ports = List.copyOf(ports);
  }

  /** Returns the arguments of a process. */
  public List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    arguments.add(Integer.toString(self));
    arguments.add(ports.stream().map(String::valueOf).collect(Collectors.joining(",")));
    arguments.add(String.join(",", use.variants()));
    arguments.add(use.folder().toString());
    for (int number :
        new int[] {data.keys(), data.valueBytes(), pressure.depth(), pressure.threads()}) {
      arguments.add(Integer.toString(number));
    }
    return arguments;
  }

  /** Reads what {@link #arguments} has made. */
  static LoadSettings of(List<String> arguments) {
    int[] numbers = arguments.stream().skip(4).mapToInt(Integer::parseInt).toArray();
    return new LoadSettings(
        Integer.parseInt(arguments.get(0)),
        Arrays.stream(arguments.get(1).split(",")).map(Integer::valueOf).toList(),
        new Data(numbers[0], numbers[1]),
        new Pressure(numbers[2], numbers[3]),
        new Use(List.of(arguments.get(2).split(",")), Path.of(arguments.get(3))));
  }

  /** Where this process keeps what is durable, and no other one. */
  public Path ownFolder() {
    return use.folder().resolve("node-" + self);
  }
}
