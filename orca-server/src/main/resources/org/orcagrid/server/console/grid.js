import { html, render } from "/lib/lit-html.js";
import { card, follow, place, warn } from "/page.js";

const EVERY_MILLIS = 1000;

const UNITS = ["B", "KB", "MB", "GB", "TB"];

function bytes(count) {
  let at = 0;
  while (count >= 1024 && at < UNITS.length - 1) {
    count /= 1024;
    at++;
  }
  return `${at === 0 ? count : count.toFixed(1)} ${UNITS[at]}`;
}

/** The greatest number stands for no limit. */
const limit = (count) => (count >= Number.MAX_SAFE_INTEGER ? "no limit" : bytes(count));

function ago(millis) {
  const seconds = Math.max(0, Math.round(millis / 1000));
  if (seconds < 120) {
    return `${seconds} s`;
  }
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : minutes < 2880 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} d`;
}

const lease = (millis) => (millis < 0 ? "needs none" : millis === 0 ? html`<span class="no">over</span>` : `${millis} ms`);

const heard = (millis) => (millis < 0 ? html`<span class="no">not heard</span>` : `${millis} ms ago`);

function part(progress) {
  const left = progress.parts - progress.whole;
  const share = progress.entriesMax > 0 ? `, ${Math.floor((100 * progress.entries) / progress.entriesMax)} % of the entries heard of` : "";
  return left > 0
    ? `catches up: ${progress.whole} of ${progress.parts} parts, ${progress.entries} entries, ${bytes(progress.bytes)}${share}`
    : "joins: it waits for the next view";
}

function condition(n) {
  switch (n.condition) {
    case "SERVES":
      return n.said && !n.said.self.serves ? html`<span class="warn">serves by the view, and does not say so itself</span>` : html`<span class="yes">serves</span>`;
    case "CATCHES_UP":
      return html`<span class="warn">${n.said ? part(n.said.catchUp) : "joins or catches up"}</span>`;
    case "AWAY":
      return html`<span class="no">away</span>`;
    default:
      return html`<span class="warn">in no view yet</span>`;
  }
}

/** What an operator has to know of a node beside its condition. */
function remarks(n) {
  if (!n.said) {
    return html`<span class="no">does not answer: ${n.objection}</span>`;
  }
  const all = [];
  if (n.said.self.failure) {
    all.push(html`<span class="no">has failed: ${n.said.self.failure}</span>`);
  }
  if (n.said.silentWorkers > 0) {
    all.push(html`<span class="no">${n.said.silentWorkers} of ${n.said.self.workers} workers stand still</span>`);
  }
  return all.map((each) => html`<div>${each}</div>`);
}

function nodes(s) {
  return html`<h2>Nodes</h2>
    <figure><table id="nodes">
      <thead><tr><th>Place</th><th>Address</th><th>Condition</th><th>for</th><th>Life</th><th>In view</th><th>Lease left</th>
        <th>Heard</th><th>Clients</th><th>Sessions</th><th>Journals</th><th></th></tr></thead>
      <tbody>
        ${s.grid.nodes.map((n) => {
          const said = n.said;
          return html`<tr data-node=${n.address}>
            <th>${n.place < 0 ? "?" : n.place}</th><td>${n.address}${n.address === s.self ? " (this node)" : ""}</td>
            <td>${condition(n)}</td><td>${n.sinceMillis > 0 ? ago(s.nowMillis - n.sinceMillis) : ""}</td><td>${n.life}</td>
            <td>${said ? (said.self.inView === s.grid.view ? said.self.inView : html`<span class="warn">${said.self.inView || "none"}</span>`) : ""}</td>
            <td>${said ? lease(said.self.leaseMillis) : ""}</td><td>${n.heardMillis < 0 ? "" : heard(n.heardMillis)}</td>
            <td>${said ? said.counts.clients : ""}</td><td>${said ? `${said.keys.sessions} of ${said.keys.sessionsMax}` : ""}</td>
            <td>${said ? `${bytes(said.journal.bytes)} of ${limit(said.journal.bytesMax)}` : ""}</td><td>${remarks(n)}</td></tr>`;
        })}
      </tbody></table></figure>`;
}

function leases(s) {
  const between = s.grid.nodes.filter((n) => n.said && n.said.peers.length > 0);
  if (between.length === 0) {
    return "";
  }
  const address = (at) => s.grid.nodes.find((n) => n.place === at)?.address ?? `place ${at}`;
  return html`<h2>Leases</h2>
    <figure><table id="leases">
      <thead><tr><th>Node</th><th>of</th><th>heard</th><th>has its lease for</th><th>has granted one for</th><th>says it is in view</th></tr></thead>
      <tbody>
        ${between.map((n) =>
          n.said.peers.map(
            (p) => html`<tr data-node=${n.address} data-peer=${address(p.node)}>
              <th>${n.address}</th><td>${address(p.node)}</td><td>${heard(p.heardMillis)}</td>
              <td>${lease(p.heldMillis)}</td><td>${lease(p.grantedMillis)}</td><td>${p.inView}</td></tr>`,
          ),
        )}
      </tbody></table></figure>`;
}

function maps(s) {
  if (s.grid.maps.length === 0) {
    return html`<h2>Maps</h2><p id="nomaps">There are no maps at the nodes that answer.</p>`;
  }
  return html`<h2>Maps</h2>
    <figure><table id="maps">
      <thead><tr><th>Map</th><th>Model</th><th>Entries</th><th>Memory</th><th>Served by</th><th>Not durable yet</th>
        <th>Not at others yet</th><th>Not shown yet</th><th>Under way</th></tr></thead>
      <tbody>
        ${s.grid.maps.map(
          (m) => html`<tr data-map=${m.name}>
            <th>${m.name}</th><td>${m.model}</td><td>${m.entries}</td><td>${bytes(m.bytes)}</td>
            <td>${m.copies === m.homes ? `${m.copies} nodes` : html`<span class="warn">${m.copies} of ${m.homes} nodes</span>`}</td>
            <td>${warn(m.undurable)}</td><td>${warn(m.unacknowledged)}</td><td>${warn(m.held)}</td><td>${m.underWay}</td></tr>`,
        )}
      </tbody></table></figure>
    ${s.grid.mapsLeftOut > 0 ? html`<p class="warn">${s.grid.mapsLeftOut} maps more are not shown.</p>` : ""}
    <details><summary>Maps by node</summary>
      <figure><table id="parts">
        <thead><tr><th>Map</th><th>Node</th><th>serves</th><th>Entries</th><th>Memory</th><th>Not durable yet</th><th>Not at others yet</th><th>Not shown yet</th></tr></thead>
        <tbody>
          ${s.grid.maps.map((m) =>
            m.parts.map(
              (p) => html`<tr data-map=${m.name} data-node=${p.address}>
                <th>${m.name}</th><td>${p.address}</td><td>${p.serves ? "yes" : html`<span class="warn">not yet</span>`}</td><td>${p.entries}</td>
                <td>${bytes(p.bytes)}</td><td>${warn(p.undurable)}</td><td>${warn(p.unacknowledged)}</td><td>${warn(p.held)}</td></tr>`,
            ),
          )}
        </tbody></table></figure></details>`;
}

function slow(s) {
  const said = s.grid.nodes.filter((n) => n.said);
  return html`<h2>Kite's keys, and links</h2>
    <figure><table id="counts">
      <thead><tr><th>Node</th><th>Keys</th><th>Memory</th><th>Slow releases</th><th>Slow paths</th><th>Sent again</th>
        <th>Links to</th><th>Links lost</th><th>Bad packets</th><th>Refused</th></tr></thead>
      <tbody>
        ${said.map((n) => {
          const { keys, counts } = n.said;
          return html`<tr data-node=${n.address}>
            <th>${n.address}</th><td>${keys.keys}</td><td>${bytes(keys.bytes)}</td><td>${warn(keys.slowReleases)}</td><td>${warn(keys.slowPaths)}</td>
            <td>${counts.keyMessagesResent + counts.mapFramesResent}</td><td>${counts.peers} nodes</td><td>${warn(counts.linksLost)}</td>
            <td>${warn(counts.badPackets)}</td><td>${counts.refused}</td></tr>`;
        })}
      </tbody></table></figure>`;
}

function cards(s) {
  const all = s.grid.nodes;
  const serving = all.filter((n) => n.condition === "SERVES").length;
  const silent = all.filter((n) => !n.said).length;
  const said = all.filter((n) => n.said).map((n) => n.said);
  const sum = (of) => said.reduce((total, each) => total + of(each), 0);
  return html`<section class="cards">
    ${card("Nodes that serve", `${serving} of ${all.length}`, silent > 0 ? `${silent} do not answer` : "all answer", serving === all.length && silent === 0 ? "yes" : "no")}
    ${card("View", s.grid.view || "none")}
    ${card("Maps", s.grid.maps.length + s.grid.mapsLeftOut)}
    ${card("Clients", sum((each) => each.counts.clients), `${sum((each) => each.keys.sessions)} sessions on keys`)}
    ${card("Slow releases", sum((each) => each.keys.slowReleases), `slow paths: ${sum((each) => each.keys.slowPaths)}`)}
  </section>`;
}

function draw(s) {
  const name = s.grid.grid ?? "";
  document.title = `Orca Grid ${name}`;
  render(
    html`<header><h1>Grid <span id="grid">${name}</span></h1></header>
      ${cards(s)}${nodes(s)}${maps(s)}${leases(s)}${slow(s)}
      <p><small>As ${s.self} and the nodes that it knows of tell it; the same as <a href="/grid/state">JSON</a>. <a href="/">This process</a>.</small></p>`,
    place,
  );
}

follow("/grid/state", EVERY_MILLIS, draw, (why) => {
  if (place.textContent === "") {
    render(html`<p class="no" id="why">${why}</p>`, place);
  }
});
