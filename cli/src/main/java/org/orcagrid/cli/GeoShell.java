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

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.orcagrid.client.Codec;
import org.orcagrid.geo.client.GeoException;
import org.orcagrid.geo.client.GeoSession;
import org.orcagrid.geo.client.GeoSettings;
import org.orcagrid.geo.client.GeoView;
import org.orcagrid.geo.client.RemoteGeo;
import org.orcagrid.geo.client.Seen;
import org.orcagrid.geo.session.ReadGuarantee;
import org.orcagrid.geo.session.WriteGuarantee;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code orca geo shell}. */
@Command(
    name = "shell",
    description = {
      "Use a store that runs, in one session, with texts as keys and values.",
      "Lines come from --command or standard input: put KEY VALUE, get KEY, delete KEY, explain"
          + " KEY; at DATACENTER goes there; eventual and session choose what is asked for."
    })
final class GeoShell implements Callable<Integer> {
  private static final Duration LIMIT = Duration.ofSeconds(5);

  @Spec private CommandSpec spec;
  @Mixin private GeoCommand.Folder folder;

  @Option(
      names = "--connect",
      paramLabel = "west=HOST:PORT,...;east=...",
      description = "Datacenters and some of their nodes; without it, those of --dir.")
  private String datacenters;

  @Option(
      names = "--command",
      paramLabel = "LINE",
      description = "Run this instead of standard input; may be given several times.")
  private List<String> commands;

  private GeoView<String, String> view;
  private ReadGuarantee reads = ReadGuarantee.MONOTONIC_READ_YOUR_WRITE;
  private WriteGuarantee writes = WriteGuarantee.MONOTONIC_WRITE_FOLLOWS_READS;

  @Override
  public Integer call() throws CommandFailure, IOException {
    try (RemoteGeo geo = RemoteGeo.connect(settings());
        GeoSession session = geo.openSession()) {
      view = session.view("shell", Codec.STRING, Codec.STRING);
      if (commands != null) {
        for (String each : commands) {
          run(each);
        }
        return 0;
      }
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        run(line);
      }
      return 0;
    } catch (GeoException | IllegalArgumentException e) {
      throw new CommandFailure(e.getMessage() + ".", e);
    }
  }

  private GeoSettings settings() throws CommandFailure, IOException {
    if (datacenters == null) {
      return GeoFolder.settings(folder.get().requireNodes()).timeout(LIMIT);
    }
    try {
      return GeoSettings.of(datacenters).timeout(LIMIT);
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(e.getMessage() + ".");
    }
  }

  private void run(String line) throws CommandFailure {
    String[] words = line.strip().split("\\s+", 3);
    PrintWriter out = spec.commandLine().getOut();
    String first = words.length > 1 ? words[1] : null;
    switch (words[0]) {
      case "" -> {
        return;
      }
      case "at" -> view = view.at(required(first, line));
      case "eventual" -> {
        reads = ReadGuarantee.EVENTUAL;
        writes = WriteGuarantee.EVENTUAL;
      }
      case "session" -> {
        reads = ReadGuarantee.MONOTONIC_READ_YOUR_WRITE;
        writes = WriteGuarantee.MONOTONIC_WRITE_FOLLOWS_READS;
      }
      case "put" -> {
        required(words.length > 2 ? words[2] : null, line);
        out.println(view.put(first, words[2], writes));
      }
      case "get" -> {
        Seen<String> seen = view.get(required(first, line), reads);
        out.println(seen.value() == null ? "(no value)" : seen.value());
      }
      case "delete" -> out.println(view.delete(required(first, line), writes));
      case "explain" -> out.println(view.explain(required(first, line), reads));
      default ->
          throw new CommandFailure(
              "There is no command \""
                  + words[0]
                  + "\"; there are put, get, delete, explain, at, eventual and session.");
    }
    out.flush();
  }

  private static String required(String word, String line) throws CommandFailure {
    if (word == null) {
      throw new CommandFailure("\"" + line.strip() + "\" lacks a word; see 'orca help geo shell'.");
    }
    return word;
  }
}
