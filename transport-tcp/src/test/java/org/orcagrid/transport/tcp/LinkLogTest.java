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
package org.orcagrid.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node that comes or goes is one line, however many workers there are. */
class LinkLogTest {
  private static final Logger LOG = Logger.getLogger(LinkLog.class.getName());
  private static final int WORKERS = 4;

  private final LinkLog links = new LinkLog();
  private final List<Level> lines = new ArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          if (line.getLevel().intValue() >= Level.INFO.intValue()) {
            lines.add(line.getLevel());
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    LOG.addHandler(handler);
  }

  @AfterEach
  void leave() {
    LOG.removeHandler(handler);
  }

  private void up(int peer) {
    for (int worker = 0; worker < WORKERS; worker++) {
      links.onUp(peer, worker);
    }
  }

  private void down(int peer) {
    for (int worker = 0; worker < WORKERS; worker++) {
      links.onDown(peer, worker, "the connection was closed");
    }
  }

  @Test
  void aNodeThatComesOrGoesIsOneLine() {
    up(1);
    up(2);
    assertEquals(List.of(Level.INFO, Level.INFO), lines);
    down(1);
    assertEquals(List.of(Level.INFO, Level.INFO, Level.WARNING), lines);
    up(1);
    assertEquals(List.of(Level.INFO, Level.INFO, Level.WARNING, Level.INFO), lines);
  }

  @Test
  void oneLinkThatIsLostIsSaidAndSoIsThatItIsBack() {
    up(1);
    links.onDown(1, 3, "the connection was closed");
    links.onUp(1, 3);
    assertEquals(List.of(Level.INFO, Level.WARNING, Level.INFO), lines);
  }

  @Test
  void clientsComeAndGoInSilence() {
    links.onDown(-1, 0, "client");
    assertEquals(List.of(), lines);
  }
}
