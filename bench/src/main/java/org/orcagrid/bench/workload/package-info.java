/**
 * What is asked of a system: YCSB's workloads A, B, C, D and F and the paper's write-only W, as
 * streams of operations on numbered records.
 *
 * <p>Nothing here knows ZooKeeper. Keys come from YCSB's own generators, so that the access
 * patterns are the ones the papers measured.
 */
package org.orcagrid.bench.workload;
