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

import java.util.List;

/**
 * One operation on one znode, alone or as a part of a transaction or a multi-read.
 *
 * @param kind what it is
 * @param path of which znode; of a sequential create that was answered, the name that was given
 * @param argument what it writes, never the same twice; null for what writes no data
 * @param expected the version that it names, {@link #ANY} for none
 * @param error the code of its own failure, 0 for none
 * @param data what it has read, null for nothing
 * @param children the names that it has read, null for none
 * @param stat the Stat that came with the answer, null for none
 */
public record ZnodeStep(
    Kind kind,
    String path,
    String argument,
    int expected,
    int error,
    String data,
    List<String> children,
    ZnodeStat stat) {

  /** No version is named. */
  public static final int ANY = -1;

  /** What may be done to a znode. */
  public enum Kind {
    /** Creates a node that lasts. */
    CREATE,
    /** Creates a node that lasts, with a name that is given once. */
    CREATE_SEQUENTIAL,
    /** Creates a node that servers remove by themselves: ephemeral, container or with a TTL. */
    CREATE_PASSING,
    /** Replaces the data. */
    SET,
    /** Replaces the access list. */
    SET_ACL,
    /** Removes the node. */
    DELETE,
    /** Checks the version, in a transaction. */
    CHECK,
    /** Reads what there is: data, names of children, an access list, a Stat. */
    READ,
    /** The barrier. */
    SYNC;

    boolean creates() {
      return this == CREATE || this == CREATE_SEQUENTIAL || this == CREATE_PASSING;
    }

    boolean writes() {
      return creates() || this == SET || this == SET_ACL || this == DELETE;
    }

    /** Whether it fails where there is no node. */
    boolean needsNode() {
      return !creates() && this != SYNC;
    }
  }

  /** A step that is still to be answered. */
  public static ZnodeStep asked(Kind kind, String path, String argument, int expected) {
    return new ZnodeStep(kind, path, argument, expected, 0, null, null, null);
  }

  /** The same, which failed. */
  public ZnodeStep failed(int code) {
    return new ZnodeStep(kind, path, argument, expected, code, null, null, null);
  }

  /** The same, which succeeded. */
  public ZnodeStep answered(String answeredPath, ZnodeStat answer) {
    return new ZnodeStep(kind, answeredPath, argument, expected, 0, null, null, answer);
  }

  /** The same, which has read. */
  public ZnodeStep read(String value, List<String> names, ZnodeStat answer) {
    return new ZnodeStep(kind, path, argument, expected, 0, value, names, answer);
  }

  /** Whether its success tells what others wrote, or hands out a number. */
  boolean conditional() {
    return kind == Kind.CREATE_SEQUENTIAL
        || kind == Kind.CHECK
        || (kind.writes() && expected != ANY);
  }

  String parent() {
    int slash = path.lastIndexOf('/');
    return slash <= 0 ? "/" : path.substring(0, slash);
  }

  String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  @Override
  public String toString() {
    return kind
        + " "
        + path
        + (argument == null ? "" : "=" + argument)
        + (expected == ANY ? "" : " v" + expected)
        + (error == 0 ? "" : " error " + error)
        + (data == null ? "" : " -> " + data)
        + (children == null ? "" : " -> " + children)
        + (stat == null ? "" : " " + told(stat));
  }

  private static String told(ZnodeStat stat) {
    return "czxid=%x mzxid=%x pzxid=%x version=%d cversion=%d aversion=%d"
        .formatted(
            stat.czxid(),
            stat.mzxid(),
            stat.pzxid(),
            stat.version(),
            stat.cversion(),
            stat.aversion());
  }
}
