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
package org.orcagrid.bench.faults;

/**
 * What an application's users saw, counted in looks: of one user's place, or of one timeline.
 *
 * @param inconsistent older than what some user had seen before
 * @param old older than the last acknowledged change, which nobody had seen
 * @param latest the last acknowledged change
 * @param movedOn looks that the first server did not answer and another one did
 * @param unanswered looks that no server answered in time
 */
public record CaseStudyOutcome(
    long inconsistent, long old, long latest, long movedOn, long unanswered) {

  /** Nothing was looked at. */
  public static final CaseStudyOutcome NONE = new CaseStudyOutcome(0, 0, 0, 0, 0);

  /** Returns both together. */
  public CaseStudyOutcome plus(CaseStudyOutcome other) {
    return new CaseStudyOutcome(
        inconsistent + other.inconsistent,
        old + other.old,
        latest + other.latest,
        movedOn + other.movedOn,
        unanswered + other.unanswered);
  }

  /** Returns how many looks were answered. */
  public long looks() {
    return inconsistent + old + latest;
  }
}
