/**
 * The server that users start: its settings, its configuration file and its life in one JVM.
 *
 * <p>The decisions are in {@code org.orcagrid.cad}; the subclasses that plug them into ZooKeeper's
 * released jar are in {@code org.apache.zookeeper.server} and {@code
 * org.apache.zookeeper.server.quorum}, because they reach members that the jar keeps to those
 * packages.
 */
package org.orcagrid.server;
