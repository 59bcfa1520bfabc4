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

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.orcagrid.client.Codec;
import org.orcagrid.client.Grid;
import org.orcagrid.client.GridException;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.concurrent.GridCounter;
import org.orcagrid.client.concurrent.GridQueue;
import org.orcagrid.client.map.AtomicGridMap;
import org.orcagrid.client.map.GridMap;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;

/**
 * The commands of {@code orca grid shell}, and what they are about: the map, queue or counter that
 * was chosen last. For one thread.
 */
final class ShellSession implements AutoCloseable {
  /** What {@code get} and {@code poll} print where there is nothing. */
  static final String NOTHING = "(none)";

  private static final Ddp USUAL = Ddp.of(Consistency.LINEARIZABLE, Persistency.SYNCHRONOUS);

  private final Grid grid;
  private final PrintWriter out;
  private final Map<String, Verb> verbs = new LinkedHashMap<>();

  /** Of the grid's own keys; null until they are chosen. */
  private GridSession session;

  // Of these one at most is not null.
  private ShellValues values;
  private GridQueue<String> queue;
  private GridCounter counter;

  private String title = "orca";
  private boolean over;

  /** What a command does with the words behind its name. */
  private interface Action {
    void run(List<String> words) throws CommandFailure;
  }

  /**
   * A command.
   *
   * @param form how it is written
   * @param purpose what it does, for the help
   * @param wordsMin words behind its name, at least
   * @param wordsMax at most
   */
  private record Verb(String form, String purpose, int wordsMin, int wordsMax, Action action) {}

  /** A session on a grid, which is closed by its owner. */
  ShellSession(Grid grid, PrintWriter out) {
    this.grid = grid;
    this.out = out;
    add("models", "the models and what they promise", words -> out.print(ModelsCommand.table()));
    add("explain MODEL", "what a model promises", words -> out.print(model(words, 0).explain()));
    add("maps", "the maps that there are, with their models", words -> maps());
    add("map NAME [MODEL]", "choose a map; it is made if there is none", this::map);
    add("kite", "choose the grid's own keys, which are in memory", words -> kite());
    add("get [K]", "the value of a key, or of the counter", this::get);
    add("set K V", "give a key a value", words -> values().set(words.get(0), words.get(1)));
    add("create K V", "give a key a value if it has none; whether it did", this::create);
    add("cas K EXPECTED V", "give a key another value if it has this one", this::compareAndSet);
    add("delete K", "take a key's value away", words -> values().delete(words.get(0)));
    add("keys", "the keys of the map", words -> values().keys().forEach(this::print));
    add("size", "how many keys the map has", words -> out.println(values().size()));
    add("queue NAME [MODEL]", "choose a queue", this::queue);
    add("offer V", "put a value into the queue", words -> queue().offer(words.get(0)));
    add("poll", "take the first value out of the queue", words -> print(queue().poll()));
    add("counter NAME [MODEL]", "choose a counter", this::counter);
    add("add N", "add to the counter, and show what it is then", this::addToCounter);
    add("help", "these commands", words -> help());
    add("exit", "leave the shell", words -> over = true);
  }

  private void add(String form, String purpose, Action action) {
    String[] words = form.split(" ");
    int needed = (int) List.of(words).stream().filter(each -> !each.startsWith("[")).count();
    verbs.put(words[0], new Verb(form, purpose, needed - 1, words.length - 1, action));
  }

  /** Whether {@code exit} was said. */
  boolean isOver() {
    return over;
  }

  /** What is chosen, in a word. */
  String title() {
    return title;
  }

  /**
   * Does what a line says.
   *
   * @throws CommandFailure if it cannot be done, saying why and what would help
   */
  void run(String line) throws CommandFailure {
    List<String> words = ShellWords.of(line);
    if (words.isEmpty()) {
      return;
    }
    Verb verb = verbs.get(words.get(0));
    if (verb == null) {
      throw new CommandFailure(
          "There is no command '"
              + words.get(0)
              + "'"
              + Nearest.to(words.get(0), verbs.keySet())
                  .map(word -> "; did you mean '" + word + "'?")
                  .orElse("; 'help' shows all"));
    }
    int count = words.size() - 1;
    if (count < verb.wordsMin() || count > verb.wordsMax()) {
      throw new CommandFailure(
          "The command is '"
              + verb.form()
              + "', and "
              + (count == 0 ? "nothing" : count == 1 ? "one word" : count + " words")
              + " came after its name; quote a text with spaces, or without letters");
    }
    try {
      verb.action().run(words.subList(1, words.size()));
    } catch (GridException | IllegalArgumentException | IllegalStateException e) {
      throw new CommandFailure(e.getMessage(), e);
    } finally {
      out.flush();
    }
  }

  private void help() {
    for (Verb verb : verbs.values()) {
      out.printf("%-22s %s%n", verb.form(), verb.purpose());
    }
    out.printf(
        "MODEL is %s unless it is said. Words may be quoted; a '#' begins a comment.%n", USUAL);
  }

  private void print(String text) {
    out.println(text == null ? NOTHING : ShellWords.shown(text));
  }

  // --- choosing ----------------------------------------------------------------------------------

  private static Ddp model(List<String> words, int at) {
    return words.size() > at ? Ddp.parse(words.get(at)) : USUAL;
  }

  private void choose(ShellValues chosen, GridQueue<String> list, GridCounter number, String name) {
    values = chosen;
    queue = list;
    counter = number;
    title = ShellWords.shown(name);
  }

  private void maps() {
    TextTable table = new TextTable(List.of("map", "model"));
    grid.definedMaps().forEach((name, model) -> table.add(List.of(name, model.toString())));
    out.print(table);
  }

  private void map(List<String> words) {
    String name = words.get(0);
    Ddp model = model(words, 1);
    ShellValues map = new ShellValues.OfMap(map(name, model));
    choose(map, null, null, map.title());
  }

  private GridMap<String, String> map(String name, Ddp model) {
    if (model.consistency().isAtomic()) {
      AtomicGridMap<String, String> map = grid.atomicMap(name, Codec.STRING, Codec.STRING, model);
      return map;
    }
    return grid.map(name, Codec.STRING, Codec.STRING, model);
  }

  private void kite() {
    // One whose node is gone has ended: to say the command again opens another.
    GridSession opened = grid.openSession();
    close();
    session = opened;
    ShellValues keys = new ShellValues.OfGrid(session.view(Codec.STRING, Codec.STRING));
    choose(keys, null, null, keys.title());
  }

  private void queue(List<String> words) {
    GridQueue<String> chosen = grid.queue(words.get(0), Codec.STRING, model(words, 1));
    choose(null, chosen, null, "queue " + words.get(0));
  }

  private void counter(List<String> words) {
    GridCounter chosen = grid.counter(words.get(0), model(words, 1));
    choose(null, null, chosen, "counter " + words.get(0));
  }

  private ShellValues values() throws CommandFailure {
    if (values == null) {
      throw new CommandFailure(
          "No map is chosen; choose one with 'map NAME', or the grid's own keys with 'kite'");
    }
    return values;
  }

  private GridQueue<String> queue() throws CommandFailure {
    if (queue == null) {
      throw new CommandFailure("No queue is chosen; choose one with 'queue NAME'");
    }
    return queue;
  }

  // --- what takes a few words --------------------------------------------------------------------

  private void get(List<String> words) throws CommandFailure {
    if (counter != null && words.isEmpty()) {
      out.println(counter.get());
    } else if (counter != null) {
      throw new CommandFailure(
          "A counter is chosen, whose 'get' has no key; choose a map first with 'map NAME'");
    } else if (words.isEmpty()) {
      values();
      throw new CommandFailure("The key is missing; it is 'get K'");
    } else {
      print(values().get(words.get(0)));
    }
  }

  private void create(List<String> words) throws CommandFailure {
    out.println(values().compareAndSet(words.get(0), null, words.get(1)));
  }

  private void compareAndSet(List<String> words) throws CommandFailure {
    out.println(values().compareAndSet(words.get(0), words.get(1), words.get(2)));
  }

  private void addToCounter(List<String> words) throws CommandFailure {
    if (counter == null) {
      throw new CommandFailure("No counter is chosen; choose one with 'counter NAME'");
    }
    try {
      out.println(counter.addAndGet(Long.parseLong(words.get(0))));
    } catch (NumberFormatException e) {
      throw new CommandFailure(
          "'" + words.get(0) + "' is not a whole number, as 'add 1' or 'add -5' have", e);
    }
  }

  @Override
  public void close() {
    if (session != null) {
      session.close();
    }
  }
}
