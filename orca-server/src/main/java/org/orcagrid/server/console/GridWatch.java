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
package org.orcagrid.server.console;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.orcagrid.ddp.membership.GridView;
import org.orcagrid.node.GridMember;
import org.orcagrid.node.GridPicture;
import org.orcagrid.node.GridSurvey;
import org.orcagrid.node.GridSurvey.Answer;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.node.NodeState;
import org.orcagrid.transport.tcp.HostPort;

/**
 * The grid as the node of this process sees it: asks that node, and all others that it knows of, as
 * their client. Nobody is asked while nobody looks. Safe for use by many threads.
 */
public final class GridWatch implements AutoCloseable {
  private static final Duration ANSWER_MAX = Duration.ofMillis(1500);

  /** Those who look at once are shown the same. */
  private static final long SHOWN_NANOS = Duration.ofMillis(500).toNanos();

  private final NodeSettings settings;
  private final Supplier<GridMember> node;

  // Under the lock: who looks while others are asked waits for what comes of it.
  private final SilentNodes silent = new SilentNodes();
  private GridSurvey survey;
  private GridPicture last;
  private long lastNanos;
  private boolean closed;

  /**
   * Watches a grid.
   *
   * @param settings of the node of this process
   * @param node that node; null while there is none
   */
  public GridWatch(NodeSettings settings, Supplier<GridMember> node) {
    this.settings = settings;
    this.node = node;
  }

  /** Where the node of this process listens. */
  String address() {
    return settings.home().address().toString();
  }

  /**
   * The grid as it is now, or was half a second ago.
   *
   * @throws IOException if the others cannot be asked: the secret or the certificates cannot be
   *     read
   */
  GridPicture picture() throws IOException, InterruptedException {
    synchronized (this) {
      if (last == null || System.nanoTime() - lastNanos > SHOWN_NANOS) {
        last = GridPicture.of(ask());
        lastNanos = System.nanoTime();
      }
      return last;
    }
  }

  private List<Answer> ask() throws IOException, InterruptedException {
    HostPort own = settings.home().address();
    GridMember member = node.get();
    if (member == null) {
      return List.of(
          new Answer(own, null, "it has not begun, or has ended and begins again: see its log"));
    }
    List<Answer> answers = new ArrayList<>();
    NodeState state = member.state();
    answers.add(Answer.of(own, state));
    List<HostPort> others = others(state);
    List<HostPort> asked = new ArrayList<>();
    silent.retain(others);
    for (HostPort each : others) {
      Answer before = silent.instead(each, System.nanoTime());
      if (before == null) {
        asked.add(each);
      } else {
        answers.add(before);
      }
    }
    for (Answer each : survey().ask(asked, ANSWER_MAX)) {
      silent.onAnswer(each, System.nanoTime());
      answers.add(each);
    }
    return answers;
  }

  private static List<HostPort> others(NodeState state) {
    List<HostPort> others = new ArrayList<>();
    GridView view = state.view();
    for (int place = 0; view != null && place < view.nodes(); place++) {
      HostPort address = HostPort.parse(view.places().get(place).address());
      if (place != state.self().place() && !address.equals(HostPort.NOWHERE)) {
        others.add(address);
      }
    }
    return others;
  }

  private GridSurvey survey() throws IOException {
    if (closed) {
      throw new IOException("This process is ending");
    }
    if (survey == null) {
      survey = new GridSurvey(settings.home().grid(), settings.links().security());
    }
    return survey;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (survey != null) {
      survey.close();
    }
  }
}
