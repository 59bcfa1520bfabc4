/** The house rules as tests: which code may import which, and how long a class may be. */
package org.orcagrid.architecture;
