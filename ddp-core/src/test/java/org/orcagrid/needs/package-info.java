/** What is optional on a machine that runs the tests, and what happens to those that need it. */
package org.orcagrid.needs;
