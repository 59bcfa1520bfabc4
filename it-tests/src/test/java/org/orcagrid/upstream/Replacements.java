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
package org.orcagrid.upstream;

import java.util.Map;

/** Which of ZooKeeper's classes a test class gets from us instead. Names are internal names. */
final class Replacements {
  /** The connection factory of a test that chooses none, as a system property has it. */
  static final String DEFAULT_FACTORY = "org.apache.zookeeper.server.OrcaNIOServerCnxnFactory";

  private static final Map<String, String> MAINS =
      Map.of(
          "org/apache/zookeeper/server/quorum/QuorumPeerMain",
          "org/apache/zookeeper/server/quorum/OrcaQuorumPeerMain",
          "org/apache/zookeeper/server/ZooKeeperServerMain",
          "org/apache/zookeeper/server/OrcaZooKeeperServerMain");

  private static final Map<String, String> SERVERS =
      Map.of(
          "org/apache/zookeeper/server/quorum/QuorumPeer",
          "org/apache/zookeeper/server/quorum/OrcaQuorumPeer",
          "org/apache/zookeeper/server/ZooKeeperServer",
          "org/apache/zookeeper/server/OrcaZooKeeperServer");

  private static final Map<String, String> FACTORIES =
      Map.of(
          "org/apache/zookeeper/server/NIOServerCnxnFactory",
          "org/apache/zookeeper/server/OrcaNIOServerCnxnFactory",
          "org/apache/zookeeper/server/NettyServerCnxnFactory",
          "org/apache/zookeeper/server/OrcaNettyServerCnxnFactory");

  private Replacements() {}

  /** What {@code new type(…)} constructs instead; {@code type} itself if it stays. */
  static String constructed(String type) {
    return MAINS.getOrDefault(type, SERVERS.getOrDefault(type, type));
  }

  /**
   * What a test's own subclass of {@code type} extends instead.
   *
   * <p>Only main classes are replaced. The subclasses of servers put a stock leader, follower or
   * request processor with a fault into the pipeline; on top of our servers they would run neither
   * stock's pipeline nor ours.
   */
  static String extended(String type) {
    return MAINS.getOrDefault(type, type);
  }

  /** The connection factory to be named instead of {@code type}; {@code type} if it is none. */
  static String factory(String type) {
    return FACTORIES.getOrDefault(type, type);
  }

  /** The same for names with dots, as they stand in system properties. */
  static String factoryName(String name) {
    String type = name.replace('.', '/');
    return FACTORIES.containsKey(type) ? factory(type).replace('/', '.') : name;
  }

  /**
   * Whose static method is called instead of {@code owner}'s: a cleared choice of the connection
   * factory has to fall back to ours, not to stock's.
   */
  static String staticOwner(String owner, String name, String descriptor) {
    boolean clears =
        owner.equals("java/lang/System")
            && name.equals("clearProperty")
            && descriptor.equals("(Ljava/lang/String;)Ljava/lang/String;");
    return clears ? FactoryProperty.class.getName().replace('.', '/') : owner;
  }
}
