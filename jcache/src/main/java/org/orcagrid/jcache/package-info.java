/**
 * Caches of JSR-107 ({@code javax.cache}) on the maps of a grid: {@link
 * org.orcagrid.jcache.OrcaCachingProvider} is what {@code Caching.getCachingProvider()} finds,
 * {@link org.orcagrid.jcache.OrcaConfiguration} what a cache can be told beyond the standard.
 */
package org.orcagrid.jcache;
