/**
 * Holds replies back until what they show may be shown: the rules (what does a reply show?), the
 * gate (how far may be shown?) and the queue of each connection.
 */
package org.orcagrid.server.gate;
