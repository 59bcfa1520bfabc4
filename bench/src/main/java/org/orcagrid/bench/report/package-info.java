/**
 * Writes what an experiment has measured as JSON, CSV, Markdown and SVG, beside the machine it was
 * measured on and the paper's own figures.
 */
package org.orcagrid.bench.report;
