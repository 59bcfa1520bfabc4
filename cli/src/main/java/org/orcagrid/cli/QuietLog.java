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

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/** Nothing is logged until it is closed: what is only tried is not worth a line. */
final class QuietLog implements AutoCloseable {
  private final LoggerContext context;
  private final TurboFilter filter =
      new TurboFilter() {
        @Override
        public FilterReply decide(
            Marker marker,
            Logger logger,
            Level level,
            String format,
            Object[] params,
            Throwable thrown) {
          return FilterReply.DENY;
        }
      };

  /** Begins the silence, where logback is what logs. */
  QuietLog() {
    context = LoggerFactory.getILoggerFactory() instanceof LoggerContext logback ? logback : null;
    if (context != null) {
      filter.start();
      context.addTurboFilter(filter);
    }
  }

  @Override
  public void close() {
    if (context != null) {
      context.getTurboFilterList().remove(filter);
    }
  }
}
