/**
 * The command line {@code orca}: servers and loopback ensembles as processes, the stock shell, and
 * whatever other modules add through {@link org.orcagrid.cli.SubcommandProvider}.
 *
 * <p>Promises: exit status 0 for success, 1 for a failure at run time, 2 for wrong usage; an
 * expected failure is one sentence on standard error that names the thing and the fix. {@link
 * org.orcagrid.cli.EnsembleProcesses} is also the way in which tests and benchmarks run servers,
 * ours and stock ZooKeeper's alike.
 *
 * <p>May import {@code org.orcagrid.server}, ZooKeeper's public classes and picocli; nothing of
 * this project imports this package except other modules.
 */
package org.orcagrid.cli;
