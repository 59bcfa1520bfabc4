/**
 * Puts load on a running system and measures it: client sessions, closed-loop and pipelined
 * clients, clients that keep a rate, and the run that starts them, warms up and measures.
 */
package org.orcagrid.bench.load;
