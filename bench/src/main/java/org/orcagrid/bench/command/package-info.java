/**
 * The commands {@code orca bench}, {@code orca reproduce} and {@code orca quickstart}: they read
 * options, run experiments, show progress and write files. All measuring is in the other packages.
 */
package org.orcagrid.bench.command;
