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
package org.orcagrid.ddp.replica;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells members that learn what this node has, page by page, and not more pages than they have
 * asked for.
 *
 * <p>The pages have every entry that was there when they began, in the version that it has when its
 * page is made. What becomes visible here meanwhile the learner knows by other ways, since it is a
 * member: from its coordinator, from who stands in for that one, or from {@link
 * Protocol#teachRest}.
 */
final class Teacher {
  private final Replica replica;
  private final Protocol protocol;

  /** By learner. */
  private final Map<Integer, Lesson> lessons = new HashMap<>();

  private static final class Lesson {
    private final int transfer;
    private final int life;
    private final Entries.Cursor cursor;
    private final long[] since;
    private int pages;
    private boolean ended;

    private Lesson(int transfer, int life, Entries.Cursor cursor, long[] since) {
      this.transfer = transfer;
      this.life = life;
      this.cursor = cursor;
      this.since = since;
    }
  }

  Teacher(Replica replica, Protocol protocol) {
    this.replica = replica;
    this.protocol = protocol;
  }

  /** Ends what is told to those who have gone or have learned. */
  void onView() {
    lessons
        .entrySet()
        .removeIf(
            each -> {
              boolean learns =
                  !replica.view().serves(each.getKey())
                      && replica.view().incarnations().get(each.getKey()) == each.getValue().life;
              if (!learns) {
                each.getValue().cursor.close();
              }
              return !learns;
            });
  }

  void onAsk(int learner, ReplicaMessage.StateAsk ask) {
    Lesson lesson = lessons.get(learner);
    if (lesson == null || lesson.transfer < ask.transfer()) {
      lesson = begin(learner, ask.transfer());
    }
    while (lesson.transfer == ask.transfer() && !lesson.ended && lesson.pages < ask.pages()) {
      tellPage(learner, lesson);
    }
  }

  private Lesson begin(int learner, int transfer) {
    Lesson begun =
        new Lesson(
            transfer,
            replica.view().incarnations().get(learner),
            replica.state().cursor(),
            protocol.visible().clone());
    Lesson before = lessons.put(learner, begun);
    if (before != null) {
      before.cursor.close();
    }
    protocol.teach(learner);
    return begun;
  }

  private void tellPage(int learner, Lesson lesson) {
    List<ReplicaMessage.Known> versions = new ArrayList<>();
    List<Write> scoped = new ArrayList<>();
    int bytes = 0;
    while (bytes < replica.settings().limits().pageBytes()) {
      Entry entry = lesson.cursor.next();
      if (entry == null) {
        lesson.ended = true;
        break;
      }
      if (entry.write() != null) {
        versions.add(new ReplicaMessage.Known(entry.write(), what(entry)));
        bytes += Encoding.bytes(entry.write());
      }
      if (replica.persistency().isByScope() && entry.scoped() != null) {
        scoped.add(entry.scoped());
        bytes += Encoding.bytes(entry.scoped());
      }
    }
    lesson.pages++;
    replica.send(
        learner,
        new ReplicaMessage.State(lesson.transfer, List.copyOf(versions), List.copyOf(scoped)));
    if (lesson.ended) {
      lesson.cursor.close();
      protocol.teachRest(learner);
      replica.send(
          learner,
          new ReplicaMessage.StateEnd(
              lesson.transfer,
              replica.highestClock(),
              replica.forgottenClock(),
              lesson.since,
              protocol.visible().clone()));
    }
  }

  private static int what(Entry entry) {
    return (entry.isValid() ? ReplicaMessage.CONSISTENCY : 0)
        | (entry.isDurable() ? ReplicaMessage.PERSISTENCY : 0);
  }
}
