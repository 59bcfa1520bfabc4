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
package org.orcagrid.ddp.map;

import java.util.Arrays;

/**
 * The maps of a worker that want to look at the time, the earliest first: a heap, in which each is
 * once at most. A cycle in which nobody's time has come looks at the first one only. For one
 * thread; allocates nothing but when it holds more than ever before.
 */
final class Timers {
  private Timer[] heap = new Timer[16];
  private int size;

  /** Something that wants to look at the time; in no more than one heap. */
  abstract static class Timer {
    private static final int NOWHERE = -1;

    private int place = NOWHERE;
    private long dueNanos;

    /** Its time has come; it is not in the heap any more, and may be put there again. */
    abstract void onTime(long nowNanos);
  }

  /** How many wait for their time. */
  int size() {
    return size;
  }

  /** Has a timer's time come at this moment, or before if it does anyway. */
  void by(Timer timer, long dueNanos) {
    if (timer.place == Timer.NOWHERE) {
      if (size == heap.length) {
        heap = Arrays.copyOf(heap, 2 * size);
      }
      timer.dueNanos = dueNanos;
      up(timer, size++);
    } else if (dueNanos - timer.dueNanos < 0) {
      timer.dueNanos = dueNanos;
      up(timer, timer.place);
    }
  }

  /** Forgets a timer. */
  void cancel(Timer timer) {
    int place = timer.place;
    if (place != Timer.NOWHERE) {
      Timer last = heap[--size];
      heap[size] = null;
      timer.place = Timer.NOWHERE;
      if (last != timer) {
        down(last, place);
        up(last, last.place);
      }
    }
  }

  /** Nanoseconds until the first one's time, not more than {@code most}. */
  long nanosToFirst(long nowNanos, long most) {
    return size == 0 ? most : Math.min(most, heap[0].dueNanos - nowNanos);
  }

  /**
   * Tells each whose time has come, once.
   *
   * @return how many that were
   */
  int run(long nowNanos) {
    int told = 0;
    // Those that want to be told at once again are told in the next cycle.
    for (int left = size; left > 0 && size > 0 && heap[0].dueNanos - nowNanos <= 0; left--) {
      Timer first = heap[0];
      cancel(first);
      first.onTime(nowNanos);
      told++;
    }
    return told;
  }

  private void up(Timer timer, int from) {
    int at = from;
    while (at > 0 && timer.dueNanos - heap[(at - 1) / 2].dueNanos < 0) {
      put(heap[(at - 1) / 2], at);
      at = (at - 1) / 2;
    }
    put(timer, at);
  }

  private void down(Timer timer, int from) {
    int at = from;
    for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && heap[child + 1].dueNanos - heap[child].dueNanos < 0) {
        child++;
      }
      if (timer.dueNanos - heap[child].dueNanos <= 0) {
        break;
      }
      put(heap[child], at);
      at = child;
    }
    put(timer, at);
  }

  private void put(Timer timer, int at) {
    heap[at] = timer;
    timer.place = at;
  }
}
