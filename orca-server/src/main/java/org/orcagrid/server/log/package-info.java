/** The transaction log and the snapshots on disk, in ZooKeeper's own file format. */
package org.orcagrid.server.log;
