/**
 * What is too long for {@code jute.maxbuffer}: requests of clients, answers and transactions. They
 * are refused or reported with their paths and sizes.
 */
package org.orcagrid.server.sizes;
