import { ask, html, keepDrawing } from "/demo.js";

const act = (what, which = "") => () => ask("/act", { [what]: which }).catch((e) => alert(e.message));
const seconds = (millis) => `${(millis / 1000).toFixed(1)} s`;

// What is fixed in the source of the example, for those who read it.
const COLUMNS = {
  eventual: ["Eventual reads", "folders.getAsync(folder, EVENTUAL)"],
  session: ["Her session's reads", "folders.getAsync(folder, MONOTONIC_READ_YOUR_WRITE.within(limit))"],
};

function controls(state) {
  const link = (how, text) => html`<button class="secondary" id=${how} @click=${act("link", how)}>${text}</button>`;
  return html`<div role="group" class="controls">
      ${link("cut", "Cut the link")} ${link("delay", `Delay it by ${state.delayMillis} ms`)} ${link("mend", "Mend it")}
      <button class=${state.plays ? "" : "outline"} id="auto" @click=${act("auto")}>By itself: ${state.plays ? "on" : "off"}</button>
    </div>
    <p class="servers">
      <span class="server ${state.link === "up" ? "up" : state.link === "cut" ? "crashed" : "cut-off"}" id="link">link ${state.link}</span>
      <em>${state.story}</em>
    </p>`;
}

const behind = (lag) =>
  lag.mails > 0
    ? html`lacks <output data-lag=${lag.at}>${lag.mails}</output> of ${lag.of}'s mails, and has all that is older than ${seconds(lag.ageMillis)}`
    : html`lacks <output data-lag=${lag.at}>0</output> of ${lag.of}'s mails, heard ${seconds(lag.ageMillis)} ago`;

const datacenter = (state) => (lag) =>
  html`<article id=${lag.at}>
    <header>
      <strong>Datacenter ${lag.at}</strong> ${state.annAt === lag.at ? html`<span class="server up">Ann is here</span>` : ""}<br />
      <small>${behind(lag)}</small>
    </header>
    <div role="group" class="tight">
      <button class="outline" id=${`friend-${lag.at}`} @click=${act("friend", lag.at)}>${state.friends[lag.at]} writes</button>
      <button class="outline" id=${`note-${lag.at}`} @click=${act("note", lag.at)}>Ann writes</button>
      <button id=${`read-${lag.at}`} @click=${act("read", lag.at)}>Ann reads</button>
    </div>
  </article>`;

const mail = (m) => html`<div class="post"><strong>${m.from}</strong> ${m.text} <small>${m.datacenter} #${m.number}</small></div>`;

const late = (l) => html`${l.entries} entries of ${l.behind} are missing; all that is older than ${seconds(l.ageMillis)} is there`;

function result(last) {
  if (last.at === "") {
    return html`<p class="result">Ann has not read yet.</p>`;
  }
  if (!last.shown) {
    return html`<p class="result refused"><strong>Not yet in ${last.at}</strong>, after ${last.millis} ms. <small>${last.message}.</small></p>`;
  }
  if (last.late) {
    return html`<p class="result refused"><strong>Older, in ${last.at}</strong>, after ${last.millis} ms: ${late(last.late)}.</p>`;
  }
  return html`<p class="result"><strong>In ${last.at}</strong>, after ${last.millis} ms.</p>`;
}

// Mails that are missing: gone without a word, or known to be missing.
function missing(last) {
  if (last.missing.length === 0 || !last.shown) {
    return "";
  }
  return last.late
    ? html`<div class="awaited"><small>Known, and not here yet:</small>${last.missing.map(mail)}</div>`
    : html`<div class="gone"><small>Were shown or written by Ann, are not here:</small>${last.missing.map(mail)}</div>`;
}

const count = (text, name, value) => html`<span class="count ${value > 0 ? "bad" : ""}">${text}: <output data-count=${name}>${value}</output></span>`;

function cookie(column, state) {
  return html`<details open>
      <summary>
        Ann's cookie, her session: <output data-cookie>${column.cookie.length}</output> characters, at most ${state.cookieMax};
        carried to another datacenter <output data-carried>${column.carried}</output> times
      </summary>
      <code class="cookie">${column.cookie === "" ? "none yet" : column.cookie}</code>
    </details>
    <div role="group" class="tight">
      <button class="outline" id="older" @click=${act("older")}>After ${state.withinMillis} ms: ${state.orOlder ? "show what is there" : "say what is missing"}</button>
      <button class="outline" id="forget" @click=${act("forget")}>Throw the cookie away</button>
    </div>`;
}

const column = (state) => (c) => {
  const [title, code] = COLUMNS[c.id];
  return html`<article id=${c.id}>
    <header><strong>${title}</strong><br /><small><code>${code}</code></small></header>
    <p>${count("Mails that vanished", "vanished", c.vanished)} <br />${count("Own notes not seen", "own", c.ownNotSeen)}</p>
    <p><small>Reads: <output data-count="in-time">${c.inTime}</output> as asked for, <output data-count="older">${c.older}</output> older and said so, <output data-count="not-in-time">${c.notInTime}</output> not yet</small></p>
    ${result(c.last)} ${missing(c.last)}
    <div class="mails ${c.last.shown ? "" : "before"}">
      ${c.last.shown || c.last.mails.length === 0 ? "" : html`<small>Shown before:</small>`} ${c.last.mails.map(mail)}
    </div>
    ${c.id === "session" ? cookie(c, state) : ""}
  </article>`;
};

keepDrawing(
  (state) => html`${controls(state)}
    <div class="sides">${state.lags.map(datacenter(state))}</div>
    <div class="sides columns">${state.columns.map(column(state))}</div>`,
);
