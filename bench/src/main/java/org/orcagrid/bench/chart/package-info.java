/**
 * A small SVG writer for the charts of reports: lines, bars and cumulative distributions. The same
 * input gives the same bytes; numbers are printed alike in every locale. Colours are those of Okabe
 * and Ito, which the colour-blind can tell apart; lines differ in marker and dash as well.
 */
package org.orcagrid.bench.chart;
