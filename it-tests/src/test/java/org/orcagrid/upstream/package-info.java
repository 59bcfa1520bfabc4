/**
 * Runs the test classes that ZooKeeper publishes with its release against Orca Grid's servers.
 *
 * <p>The classes come from the released jar and are changed only where they construct a server:
 * {@link org.orcagrid.upstream.ClassRewriter} says how. {@link org.orcagrid.upstream.UpstreamTests}
 * is the command, {@code docs/upstream-tests.md} the manual. The package imports ASM and the JDK;
 * it sees neither ZooKeeper's classes nor ours, since each test class runs in a JVM of its own.
 */
package org.orcagrid.upstream;
