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
package org.orcagrid.ddp.replica.transfer;

import org.orcagrid.ddp.transfer.TransferHost;

/** What a node does when its catch-up has come to a step. */
public interface CatchUpListener extends TransferHost {

  /**
   * There is a new view: sends those that have joined what is under way, and takes over what nodes
   * that are gone have left.
   *
   * @param joined the members that this node had no link to
   */
  void onView(int joined);

  /** All have said of a view what they had to. */
  void onViewSettled();

  /**
   * This node has all that it was to learn.
   *
   * @param together whether all have told each other, since nobody served
   */
  void onComplete(boolean together);

  /** This node may serve in the next view. */
  void onReady();
}
