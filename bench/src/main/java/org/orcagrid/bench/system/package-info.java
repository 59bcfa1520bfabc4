/**
 * What is measured: ensembles of ORCA or stock ZooKeeper servers, each server a process of its own
 * on the loopback interface, and the questions one can ask them without a client session.
 */
package org.orcagrid.bench.system;
