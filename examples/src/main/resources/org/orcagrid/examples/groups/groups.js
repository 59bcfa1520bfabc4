import { ask, html, keepDrawing } from "/demo.js";

const act = (what, which = "") => () => ask("/act", { [what]: which }).catch((e) => alert(e.message));

// What is fixed in the source of the example, for those who read it.
const WAYS = {
  naive: ["One store after the other", "orca: posts + 1; then inbox: insert"],
  mixed: ["One transaction", "transaction(posts.change(…), inbox.change(INSERT, …))"],
};

const CAMPAIGN = `when(a.get().is(n -> n >= 1_000_000), b.get().is(n -> n < 1_000_000)).then(winner.set(value("a")))

error: incompatible types: Stmt<Linearizable> cannot be converted to Stmt<? super Causal>`;

const region = (state) => (name) =>
  html`<article id=${name}>
    <header><strong>${name}</strong> ${state.slow === name ? html`<span class="server cut-off">slow</span>` : ""}</header>
    <div role="group" class="tight">
      <button class="outline" id=${`post-${name}`} @click=${act("post", name)}>Post</button>
      <button class="outline" id=${`die-${name}`} @click=${act("die", name)}>Post, and die between</button>
      <button id=${`read-${name}`} @click=${act("read", name)}>Read</button>
      <button class="secondary" id=${`slow-${name}`} @click=${act("slow", name)}>${state.slow === name ? "Make it usual" : "Slow it down"}</button>
    </div>
  </article>`;

const count = (text, name, value) => html`<span class="count ${value > 0 ? "bad" : ""}">${text}: <output data-count=${name}>${value}</output></span>`;

const seen = ([name, sight]) =>
  html`<div class=${sight.missing > 0 ? "gone" : "mails"}>
    <small>${name}: ${sight.shown ? html`${sight.count} counted${sight.missing > 0 ? `, ${sight.missing} not there` : ""}` : "not yet: its replica lacks what was seen"}</small>
    ${sight.inbox.map((post) => html`<div class="post">${post}</div>`)}
  </div>`;

const way = (w) => {
  const [title, code] = WAYS[w.id];
  return html`<article id=${w.id}>
    <header><strong>${title}</strong><br /><small><code>${code}</code></small></header>
    <p>${count("Reads that saw a number without its post", "half", w.half)} <br />${count("Posts that are there twice", "doubled", w.doubled)}</p>
    <p><small>${w.posts} posts, ${w.reads} reads, of them <output data-count="not-yet">${w.notYet}</output> not yet</small></p>
    ${w.lines.map((line) => html`<div><small>${line}</small></div>`)}
    ${Object.entries(w.regions).map(seen)}
  </article>`;
};

keepDrawing(
  (state) => html`<div role="group" class="controls">
      <button class=${state.plays ? "" : "outline"} id="auto" @click=${act("auto")}>By itself: ${state.plays ? "on" : "off"}</button>
    </div>
    <div class="sides">${state.names.map(region(state))}</div>
    <div class="sides columns">${state.ways.map(way)}</div>
    <details>
      <summary>A winner that flips: with causal inboxes each replica may see another one first. That program does not compile.</summary>
      <pre><code>${CAMPAIGN}</code></pre>
    </details>`,
);
