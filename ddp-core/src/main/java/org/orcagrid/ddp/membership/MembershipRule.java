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

import java.util.EnumSet;
import java.util.Set;

/**
 * What {@link Membership} keeps to. Production keeps all; tests leave one out and see that it is
 * missed.
 */
public enum MembershipRule {
  /** A node serves only while every other serving member has granted it. */
  GRANTS_OF_ALL,
  /** A grant lasts from when the beat was sent that it answers, not from when it arrives. */
  FROM_STAMP,
  /** Grants are of the life that is a member, and to the life that has asked. */
  GRANTS_OF_LIVES,
  /** A view without a member is made by one that has granted it nothing for longer than a lease. */
  WAIT_FOR_LEASE,
  /** Longer by what clocks may differ in speed. */
  WAIT_FOR_DRIFT,
  /** A view without a member is made by one that serves. */
  MADE_BY_SERVING,
  /** And whose grants that member needs, as far as it knows the views. */
  KNOWN_TO_GONE,
  /** Nobody is granted anything while a view without it may still be made. */
  NO_GRANT_WHILE_MAKING,
  /** The largest set goes on in which all hear each other. */
  LARGEST_CONNECTED,
  /** A silent node that answers by the registry counts as there. */
  SILENT_ARE_ASKED,
  /** Those who begin to serve together have time for their links before silence counts. */
  TIME_FOR_FIRST_LINKS,
  /** A member that stays in an older view counts as hearing nobody. */
  STUCK_ARE_LEFT_OUT,
  /** A node one of whose workers stands still for long says that it hears nobody. */
  STANDING_ARE_LEFT_OUT,
  /** A node begins to serve when it and all that serve hear each other. */
  HEARD_BEFORE_SERVING,
  /** A purge view follows a view in which every place serves: each of its processes has marked. */
  PURGE_NEEDS_ALL_SERVING,
  /** A purge view follows the view that it was asked for in: marks are of one view. */
  PURGE_OF_NEWEST_VIEW,
  /** A grid grows by a place when every place serves: so majorities of views go on to meet. */
  GROWTH_NEEDS_ALL_SERVING,
  /** Nobody goes on when so few serve that a map may have none of its homes among them. */
  ENOUGH_SERVE,
  /** A view is without a copy when whoever had it has said that it does not serve it any more. */
  GIVEN_UP_BEFORE_GONE,
  /**
   * A place leaves when the others have caught up with what majorities had acknowledged before: so
   * majorities of views go on to meet.
   */
  REMOVAL_NEEDS_REFRESH;

  /** All of them. */
  public static Set<MembershipRule> all() {
    return EnumSet.allOf(MembershipRule.class);
  }

  /** All but one. */
  public static Set<MembershipRule> allBut(MembershipRule broken) {
    Set<MembershipRule> rules = all();
    rules.remove(broken);
    return rules;
  }
}
