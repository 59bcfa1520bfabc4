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
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Lines of a zoo.cfg that are to have other values, and whether servers with the old and with the
 * new ones may be in one ensemble.
 *
 * @param values by key; an empty one stands for no line
 */
record SettingsChange(Map<String, String> values) {
  private static final Pattern LINE = Pattern.compile("\\s*([^#!=:\\s][^=:\\s]*)\\s*[=:\\s].*");
  private static final Set<String> WORDS = Set.of("srvr", "*");
  private static final String WHITELIST = "4lw.commands.whitelist";

  /** Where a server is, who it is, and what must be the same at all for more than a moment. */
  private static final Pattern OF_ONE_SERVER =
      Pattern.compile(
          "server\\..*|group\\..*|weight\\..*|dynamicConfigFile|dataDir|dataLogDir|peerType"
              + "|electionAlg|(secureC|c)lientPort(Address)?|admin\\.serverPort"
              + "|admin\\.serverAddress|orca\\.console(Port|Address)");

  private static final Pattern OF_THE_GRID = Pattern.compile("orca\\.grid(\\..*)?");

  /** Fails at what cannot be changed server by server. */
  static SettingsChange of(Map<String, String> values) throws CommandFailure {
    for (Map.Entry<String, String> each : values.entrySet()) {
      String key = each.getKey();
      ZooCfgWriter.line(key, each.getValue());
      if (OF_ONE_SERVER.matcher(key).matches()) {
        throw CommandFailure.usage(
            "The setting "
                + key
                + " says where or who one server is; edit its zoo.cfg while it is stopped, or use"
                + " 'reconfig' in 'orca cli'.");
      }
      if (OF_THE_GRID.matcher(key).matches()) {
        throw CommandFailure.usage(
            "The setting "
                + key
                + " is of the grid's nodes, which must agree on it; stop all of them, change it,"
                + " and start them again.");
      }
      boolean mute = key.equals(WHITELIST) && words(each.getValue()).noneMatch(WORDS::contains);
      if (mute && !each.getValue().isEmpty()) {
        throw CommandFailure.usage(
            "Without srvr in "
                + WHITELIST
                + " nobody can see whether a server is healthy; add it.");
      }
    }
    return new SettingsChange(new LinkedHashMap<>(values));
  }

  private static Stream<String> words(String list) {
    return Arrays.stream(list.split(",")).map(String::trim);
  }

  /** Returns a zoo.cfg with the new values; all other lines stay as they are. */
  String applyTo(String zooCfg) throws CommandFailure {
    Map<String, String> left = new LinkedHashMap<>(values);
    List<String> lines = new ArrayList<>();
    for (String line : zooCfg.lines().toList()) {
      Matcher matcher = LINE.matcher(line);
      String key = matcher.matches() ? matcher.group(1) : "";
      if (!values.containsKey(key)) {
        lines.add(line);
        continue;
      }
      if (line.endsWith("\\")) {
        throw new CommandFailure(
            "The line of " + key + " goes on in the next one; write it in one.");
      }
      String value = left.remove(key);
      if (value != null && !value.isEmpty()) {
        lines.add(ZooCfgWriter.line(key, value));
      }
    }
    for (Map.Entry<String, String> each : left.entrySet()) {
      if (!each.getValue().isEmpty()) {
        lines.add(ZooCfgWriter.line(each.getKey(), each.getValue()));
      }
    }
    return String.join("\n", lines) + "\n";
  }

  /** Returns the change that gives a zoo.cfg back the values that it has now. */
  SettingsChange inverse(Properties zooCfg) throws CommandFailure {
    Map<String, String> before = new LinkedHashMap<>();
    for (String key : values.keySet()) {
      String value = zooCfg.getProperty(key, "");
      ZooCfgWriter.line(key, value);
      before.put(key, value);
    }
    return new SettingsChange(before);
  }

  /** Whether a zoo.cfg has these values already. */
  boolean isIn(Properties zooCfg) {
    return values.entrySet().stream()
        .allMatch(each -> each.getValue().equals(zooCfg.getProperty(each.getKey(), "").trim()));
  }

  /** Returns the lines of a zoo.cfg's text. */
  static Properties parse(String zooCfg) throws IOException {
    Properties lines = new Properties();
    lines.load(new StringReader(zooCfg));
    return lines;
  }

  /**
   * Fails if a server with the new values must not serve beside one with the old ones.
   *
   * @param old what one of the servers has
   * @param changed what one of them, the same or another, will have
   */
  void requireMixable(Properties old, Properties changed) throws CommandFailure {
    boolean differ = isTrue(old, "sslQuorum") != isTrue(changed, "sslQuorum");
    boolean bothTakeBoth = isTrue(old, "portUnification") && isTrue(changed, "portUnification");
    if (differ && !bothTakeBoth) {
      throw new CommandFailure(
          "Servers with and without sslQuorum do not understand each other. Set"
              + " portUnification=true at all servers first, then sslQuorum, then portUnification"
              + " back, each in a change of its own.");
    }
  }

  private static boolean isTrue(Properties lines, String key) {
    return Boolean.parseBoolean(lines.getProperty(key, "false").trim());
  }

  @Override
  public String toString() {
    return values.entrySet().stream()
        .map(each -> each.getValue().isEmpty() ? "no " + each.getKey() : each.toString())
        .collect(Collectors.joining(" "));
  }
}
