/**
 * Arithmetic on measurements: latency summaries with and without the correction for coordinated
 * omission, and medians over rounds. Pure values, no clock.
 */
package org.orcagrid.bench.stats;
