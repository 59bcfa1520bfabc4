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
package org.orcagrid.ddp.membership;

/** What {@link Membership} wants done. None of these calls back into it. */
public interface MembershipEffects {
  /** Sends a beat; it may be lost. */
  void send(int peer, Beat beat);

  /**
   * Writes this in the registry as what the node says of itself, unless something newer is to be
   * written by then.
   */
  void report(Registration own);

  /**
   * Asks the registry to keep this view, if it keeps none of that number yet. {@link
   * Membership#onMade} is told whether it does, once that is certain.
   */
  void make(GridView next);

  /** Reads the registry soon: there is a newer view. */
  void read();

  /** The node is a member of this view; every one after the first that it was. */
  void install(GridView view);

  /** This life is over: it is left out, or cannot know whether it is. It has stopped to serve. */
  void left(String reason);
}
