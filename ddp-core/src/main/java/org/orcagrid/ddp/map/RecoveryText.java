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

import java.time.Instant;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Explanation;
import org.orcagrid.ddp.replica.log.RecoveryReport;

/** How a node's copy of a map came back, in words. */
public final class RecoveryText {
  private RecoveryText() {}

  /** The report of a map of this model: some sentences. */
  public static String of(RecoveryReport report, Ddp model) {
    if (!model.persistency().isOnMedium()) {
      return "it has no log, as it is in memory only; "
          + report.lacked()
          + " versions came from nodes that had served on.";
    }
    StringBuilder text = new StringBuilder();
    text.append(report.found()).append(" versions were in its log, ").append(end(report, model));
    text.append("; ").append(report.lacked()).append(" later ones came from ");
    text.append(report.together() ? "the logs of other nodes" : "nodes that had served on");
    text.append("; ").append(report.withdrawn());
    text.append(" values of the log do not count (not completed, or removed since).");
    boolean byScope = model.persistency().isByScope();
    if (!report.closed() || byScope) {
      text.append(report.together() ? " No node had served on." : "");
      text.append(" Of what was written here")
          .append(report.reachedMillis() == 0 || byScope ? "" : " later than that")
          .append(", this can have taken: ")
          .append(new Explanation(model).losses())
          .append('.');
    }
    return text.toString();
  }

  private static String end(RecoveryReport report, Ddp model) {
    if (report.closed()) {
      return "which was closed in order";
    }
    if (report.reachedMillis() == 0) {
      return "and until when is not known";
    }
    return (model.persistency().isByScope()
            ? "which has all scopes that were persisted here until "
            : "which has all of what was written here until ")
        + Instant.ofEpochMilli(report.reachedMillis());
  }
}
