/**
 * What ORCA servers say to each other on ZooKeeper's own leader-learner connection: first in, first
 * out behind the proposals, bound to the epoch, under the same TLS and SASL.
 */
package org.orcagrid.server.wire;
