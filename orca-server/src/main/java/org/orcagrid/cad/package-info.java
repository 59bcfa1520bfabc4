/**
 * The decisions of consistency-aware durability (ORCA, FAST '20, section 4.3) as pure state
 * machines.
 *
 * <p>Nothing in this package owns a thread, a socket, a file or a clock: time comes in as an
 * argument, effects go out as return values or through the small listener interfaces that a machine
 * is handed. The classes may import {@code java.util}, {@code org.orcagrid.ddp} and each other,
 * nothing else; an architecture test keeps it so.
 */
package org.orcagrid.cad;
