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
package org.orcagrid.simulator.checker.znode;

/**
 * A change of a znode at a known place in the order of transactions.
 *
 * @param zxid the place
 * @param kind what it is
 * @param version the version after it, of the data or of the access list; {@link #UNKNOWN} if
 *     nobody was told
 * @param data the data after it, null if nobody was told
 * @param session who has made it, {@link #UNKNOWN} if nobody was told
 */
record ZnodeChange(long zxid, Kind kind, int version, String data, int session) {
  static final int UNKNOWN = -1;

  /** What changes. */
  enum Kind {
    CREATE,
    /** The same, of a node that servers remove by themselves. */
    CREATE_PASSING,
    SET,
    DELETE,
    ACL,
    CHILD
  }

  boolean creates() {
    return kind == Kind.CREATE || kind == Kind.CREATE_PASSING;
  }

  boolean leavesNode() {
    return kind != Kind.DELETE;
  }

  /** Both tell of one change; what one does not say the other may. Null if they disagree. */
  ZnodeChange merge(ZnodeChange other) {
    boolean sameKind = kind == other.kind || (creates() && other.creates());
    if (!sameKind || differ(version, other.version) || differ(session, other.session)) {
      return null;
    }
    if (data != null && other.data != null && !data.equals(other.data)) {
      return null;
    }
    return new ZnodeChange(
        zxid,
        other.kind == Kind.CREATE_PASSING ? other.kind : kind,
        version == UNKNOWN ? other.version : version,
        data == null ? other.data : data,
        session == UNKNOWN ? other.session : session);
  }

  private static boolean differ(int one, int other) {
    return one != UNKNOWN && other != UNKNOWN && one != other;
  }

  @Override
  public String toString() {
    return "%s at %x (version %d, data %s, session %d)"
        .formatted(kind, zxid, version, data, session);
  }
}
