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

/** A read at a replica (Algorithm 2, line 1). Immutable. */
public final class ReadRequest {
  private final byte[] key;
  private final Requirement requirement;
  private final long waitNanos;
  private final boolean orOlder;
  private final Consumer<ReadAnswer> caller;

  /**
   * A read.
   *
   * @param key nobody changes it from now on
   * @param waitNanos how long it may wait at most
   * @param orOlder whether the version that is there then will do
   * @param caller gets the answer, in the partition's thread
   */
  public ReadRequest(
      byte[] key,
      Requirement requirement,
      long waitNanos,
      boolean orOlder,
      Consumer<ReadAnswer> caller) {
    this.key = key;
    this.requirement = requirement;
    this.waitNanos = waitNanos;
    this.orOlder = orOlder;
    this.caller = caller;
  }

  byte[] key() {
    return key;
  }

  Requirement requirement() {
    return requirement;
  }

  long waitNanos() {
    return waitNanos;
  }

  boolean orOlder() {
    return orOlder;
  }

  /** Tells the caller. */
  public void answer(ReadAnswer answer) {
    caller.accept(answer);
  }
}
