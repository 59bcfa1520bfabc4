/**
 * Server processes and real clients: each server is a JVM of its own, with real sockets and files,
 * which is killed, paused, restarted and swapped for stock ZooKeeper while clients go on.
 *
 * <p>{@link org.orcagrid.processes.TestEnsemble} is what the tests build on, {@link
 * org.orcagrid.processes.Load} its clients, and {@link org.orcagrid.processes.SeenState} the judge
 * of what they saw.
 */
package org.orcagrid.processes;
