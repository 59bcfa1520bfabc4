/** What an operator and a session can say to a running server. */
package org.orcagrid.server.admin;
