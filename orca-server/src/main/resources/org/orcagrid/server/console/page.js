import { html } from "/lib/lit-html.js";

/** Where a console's page is drawn. */
export const place = document.getElementById("page");

export const card = (title, value, more = "", kind = "") =>
  html`<article><small>${title}</small><strong class=${kind}>${value}</strong><small>${more}</small></article>`;

/** A number that should be 0. */
export const warn = (count) => (count === 0 ? "0" : html`<span class="warn">${count}</span>`);

/**
 * Draws what is at a path again and again. What was drawn is marked as old while there is no
 * answer, and lose, if there is one, is told why.
 */
export function follow(path, everyMillis, draw, lose = () => {}) {
  async function next() {
    let why = "The node does not answer.";
    try {
      const answer = await fetch(path);
      const state = await answer.json();
      if (answer.ok) {
        draw(state);
        why = null;
      } else {
        why = state.error;
      }
    } catch (e) {
      // It is down, or does not answer.
    }
    document.body.classList.toggle("lost", why !== null);
    if (why !== null) {
      lose(why);
    }
    setTimeout(next, everyMillis);
  }
  place.textContent = "";
  next();
}
