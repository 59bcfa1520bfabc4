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
package org.orcagrid.geo.partition;

import java.util.function.Consumer;
import org.orcagrid.geo.Requirement;
import org.orcagrid.geo.replica.LocalWrite;

/** A write at a leader (Algorithm 2, line 5). Immutable. */
public final class WriteRequest {
  private final LocalWrite write;
  private final long dependency;
  private final Requirement requirement;
  private final long waitNanos;
  private final Consumer<WriteAnswer> caller;

  /**
   * A write.
   *
   * @param write without its time
   * @param dependency the dependency time dt, 0 for none
   * @param requirement what the leader must have before; none with hybrid clocks
   * @param waitNanos how long it may wait for that
   * @param caller gets the answer, in the partition's thread
   */
  public WriteRequest(
      LocalWrite write,
      long dependency,
      Requirement requirement,
      long waitNanos,
      Consumer<WriteAnswer> caller) {
    this.write = write;
    this.dependency = dependency;
    this.requirement = requirement;
    this.waitNanos = waitNanos;
    this.caller = caller;
  }

  LocalWrite write() {
    return write;
  }

  long dependency() {
    return dependency;
  }

  Requirement requirement() {
    return requirement;
  }

  long waitNanos() {
    return waitNanos;
  }

  /** Tells the caller. */
  public void answer(WriteAnswer answer) {
    caller.accept(answer);
  }
}
