// What all example pages share: the state is fetched again and again and drawn anew.
import { html, render } from "/lib/lit-html.js";

export { html };

const EVERY_MILLIS = 150;

export async function ask(path, parameters) {
  const query = new URLSearchParams(parameters);
  const answer = await fetch(`${path}?${query}`, { method: "POST", headers: { "Orca-Page": "1" } });
  if (!answer.ok) {
    throw new Error((await answer.json()).error);
  }
}

const fault = (kind) => () => ask("/fault", { kind }).catch((e) => alert(e.message));

function controls(state) {
  return html`<div role="group" class="controls">
    <button class="secondary" id="lag" @click=${fault("lag")}>Cut off a follower</button>
    <button class="secondary" id="leader" @click=${fault("leader")}>Crash the leader</button>
    <button class="secondary" id="power" @click=${fault("power")}>Power cut</button>
    <button class=${state.faults ? "" : "outline"} id="auto" @click=${fault("auto")}>
      Faults by themselves: ${state.faults ? "on" : "off"}
    </button>
  </div>`;
}

function servers(side) {
  return html`<p class="servers">
    ${side.servers.map((s) => html`<span class="server ${s.is.replace(" ", "-")}">${s.id} ${s.is}</span> `)}
    <em>${side.fault}</em>
  </p>`;
}

const settings = (side) =>
  ["durability", "replication", "readers"].map((key) => `${key} ${side.settings[`orca.${key}`]}`).join(", ");

export function keepDrawing(page) {
  const place = document.getElementById("page");
  place.textContent = "";
  const next = async () => {
    try {
      render(page(await (await fetch("/state")).json()), place);
      document.body.classList.remove("lost");
    } catch (e) {
      // The example has ended, or is too busy: what is shown is marked as old.
      document.body.classList.add("lost");
    }
    setTimeout(next, EVERY_MILLIS);
  };
  next();
}

export function show(drawSide, extra = () => "") {
  keepDrawing(
    (state) =>
      html`${controls(state)} ${extra(state)}
        <div class="sides">
          ${state.sides.map(
            (side) => html`<article id=${side.id}>
              <header><strong>${side.title}</strong> <small>${settings(side)}</small></header>
              ${servers(side)} ${drawSide(side)}
            </article>`,
          )}
        </div>`,
  );
}
