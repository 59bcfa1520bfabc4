/** ZooKeeper's tree, with a note of every change that is not durable yet. */
package org.orcagrid.server.tree;
