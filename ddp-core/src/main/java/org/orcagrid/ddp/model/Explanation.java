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
package org.orcagrid.ddp.model;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A model in plain words, from the data of Tables 2 and 4. The console, the documentation and
 * {@link Ddp#explain()} print what is here.
 *
 * @param model what is explained
 */
public record Explanation(Ddp model) {
  /** Returns what is there again after any crash, in a few words. */
  public String survives() {
    if (!model.persistency().isOnMedium()) {
      return "nothing";
    }
    Set<Promise> made = Promise.of(model);
    boolean completed = made.contains(Promise.COMPLETED_SURVIVES);
    boolean read = made.contains(Promise.READ_SURVIVES);
    if (model.persistency().isByScope()) {
      return "persisted scopes";
    }
    if (completed) {
      return read ? "what has completed or was read" : "what has completed";
    }
    return read ? "what was read" : "what is old enough";
  }

  /** Returns what a crash can take, the rest of a sentence. */
  public String losses() {
    if (!model.persistency().isOnMedium()) {
      return "all that there is, if no node is left that serves. While one is left: " + served();
    }
    Set<Promise> made = Promise.of(model);
    if (model.persistency().isByScope()) {
      return "nothing of a scope that was persisted; of any other, all, also what was read. If all"
          + " nodes lose power, no part of a scope stays without the others";
    }
    if (made.contains(Promise.COMPLETED_SURVIVES)) {
      return "nothing that has completed, and nothing that was read";
    }
    return made.contains(Promise.READ_SURVIVES)
        ? "writes that have completed, as long as nobody has read them"
        : "the last writes, also such as were completed and read";
  }

  /** Returns what a crash can take while a node is left that serves, and nothing is durable. */
  private String served() {
    return switch (model.consistency()) {
      case LINEARIZABLE, TRANSACTIONAL -> "nothing that has completed, and nothing that was read";
      case READ_ENFORCED -> "writes that have completed, as long as nobody has read them";
      case CAUSAL, EVENTUAL -> "what only the nodes that have crashed had, also if it was read";
      case RELEASE ->
          "relaxed writes that only the nodes that have crashed had, and that no completed release"
              + " comes after";
    };
  }

  /** Returns what releases and acquires promise beyond all others, a sentence. */
  private String ofReleases() {
    String order = "What was written before a release is shown to whoever has acquired it";
    return order
        + switch (model.persistency()) {
          case STRICT -> ", also after a crash.";
          case SYNCHRONOUS ->
              ", also after a crash: when a release has completed, it survives, and all that its"
                  + " session has written before.";
          case READ_ENFORCED ->
              "; when an acquire has shown a release, that survives, and all that its session has"
                  + " written before.";
          case SCOPE, EVENTUAL -> ", as long as not all nodes lose power.";
          case NONE -> ", as long as a node is left that serves.";
        };
  }

  /** Returns the explanation, some lines that each end with a line feed. */
  public String text() {
    StringBuilder text = new StringBuilder(model.id()).append("\n\n");
    line(text, "A write is visible " + model.consistency().visibility() + ".");
    line(text, "It is durable " + model.persistency().durability() + ".");
    line(text, "A crash, of one node or of all at once, can take " + losses() + ".");
    if (model.consistency() == Consistency.TRANSACTIONAL) {
      line(text, "A transaction is there whole or not at all.");
    }
    if (model.consistency() == Consistency.RELEASE) {
      line(text, ofReleases());
    }
    Set<Promise> made = Promise.of(model);
    Set<Promise> others = EnumSet.complementOf(EnumSet.copyOf(made));
    list(text, "Promised", made.stream().map(this::sentence).toList());
    list(text, "Not promised", others.stream().map(Promise::otherwise).toList());
    text.append('\n');
    Table4.of(model)
        .ifPresent(row -> line(text, "It is row " + row.number() + " of the paper's Table 4."));
    line(
        text,
        model.persistency().isOnMedium()
            ? "All this holds if the nodes that served last come back with their durable media."
            : "Memory only is ours, beside the paper's five persistencies. When no node is left"
                + " that serves, the map begins with nothing.");
    return text.toString();
  }

  private String sentence(Promise promise) {
    return promise == Promise.COMPLETED_SURVIVES && model.persistency().isByScope()
        ? "a scope that was persisted survives whole"
        : promise.sentence();
  }

  private static void list(StringBuilder text, String head, List<String> sentences) {
    if (!sentences.isEmpty()) {
      text.append('\n').append(head).append(":\n");
      sentences.forEach(sentence -> text.append("  - ").append(sentence).append('\n'));
    }
  }

  private static void line(StringBuilder text, String sentence) {
    text.append(sentence).append('\n');
  }
}
