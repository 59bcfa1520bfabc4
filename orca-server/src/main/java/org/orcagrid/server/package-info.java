/**
 * The server that users start: its configuration file and its life in one JVM. It imports the
 * packages below it, none of which knows it: {@code settings} and {@code vital} lie lowest, {@code
 * role} in the middle, {@code admin}, {@code console} and {@code grid} above it. The order is in
 * the project's architecture test.
 *
 * <p>The decisions are in {@code org.orcagrid.cad}; the subclasses that plug them into ZooKeeper's
 * released jar are in {@code org.apache.zookeeper.server} and {@code
 * org.apache.zookeeper.server.quorum}, because they reach members that the jar keeps to those
 * packages.
 */
package org.orcagrid.server;
