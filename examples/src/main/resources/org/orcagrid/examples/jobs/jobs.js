import { ask, html, keepDrawing } from "/demo.js";

const fault = (kind) => () => ask("/fault", { kind }).catch((e) => alert(e.message));

function controls(state) {
  return html`<div role="group" class="controls">
      ${state.nodes.map((n) => html`<button class="secondary" id=${`kill-${n.id}`} @click=${fault(n.id)}>kill -9 node ${n.id}</button>`)}
      <button class="secondary" id="power" @click=${fault("all")}>kill -9 all</button>
      <button class=${state.faults ? "" : "outline"} id="auto" @click=${fault("auto")}>By themselves: ${state.faults ? "on" : "off"}</button>
    </div>
    <p class="servers">
      ${state.nodes.map((n) => html`<span class="server ${n.is}">${n.id} ${n.is}</span> `)}
      <em>${state.fault}</em>
    </p>`;
}

const lane = (l) =>
  html`<article id=${l.id}>
    <header><strong>${l.title}</strong><br /><small><code>${l.code}</code></small></header>
    <p class="count ${l.lost > 0 ? "bad" : ""}">Lost: <output data-lost>${l.lost}</output></p>
    <p class="count ${l.twice > 0 ? "bad" : ""}">Twice: <output data-twice>${l.twice}</output></p>
    <p>
      ${l.offered} acknowledged, <output data-taken>${l.taken}</output> done<br />
      <output data-waiting>${l.waiting}</output> wait <progress value=${l.waiting} max="60"></progress>
    </p>
    <p><small>Polls that were never answered, since a node was killed under them: ${l.inDoubt}. Jobs that they took with them: ${l.withPolls}.</small></p>
  </article>`;

keepDrawing((state) => html`${controls(state)}<div class="sides">${state.lanes.map(lane)}</div>`);
