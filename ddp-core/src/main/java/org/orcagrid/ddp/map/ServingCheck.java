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

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.orcagrid.ddp.replica.Replica;

/** Asks maps in their workers' threads whether they serve clients. */
final class ServingCheck {
  private static final System.Logger LOG = System.getLogger(ServingCheck.class.getName());

  private ServingCheck() {}

  /** Whether all of them serve, and say so soon. */
  static boolean allServe(List<HostedMap> maps) throws InterruptedException {
    for (HostedMap map : maps) {
      try {
        if (!map.ask(Replica::isServing).get(1, TimeUnit.SECONDS)) {
          return false;
        }
      } catch (ExecutionException | TimeoutException e) {
        LOG.log(System.Logger.Level.DEBUG, "Cannot ask the node whether it serves", e);
        return false;
      }
    }
    return true;
  }
}
