/**
 * The tables and figures of the papers, measured again: which experiment each needs, and its page
 * and chart with the paper's own figures beside ours.
 */
package org.orcagrid.bench.reproduce;
