/**
 * The workload harness: experiments that put several systems under the same load, interleaved in
 * rounds, and what they have measured.
 *
 * <p>Only one ensemble is under load at a time; the others of an experiment are alive and idle.
 */
package org.orcagrid.bench;
