import { html, render } from "/lib/lit-html.js";
import { svg } from "/lib/lit-html.js";
import { card, follow, place, warn } from "/page.js";

const EVERY_MILLIS = 500;
const KEPT = 120;
const undurable = [];
let last = null;
let reads = null;
let readsPerSecond = 0;

const yes = (value, good = "yes", bad = "no") => html`<span class=${value ? "yes" : "no"}>${value ? good : bad}</span>`;

const behind = (count) => (count < 0 ? "unknown" : warn(count));

function spark() {
  const most = Math.max(1, ...undurable);
  const points = undurable.map((y, x) => `${x},${38 - (36 * y) / most}`).join(" ");
  return html`<svg class="spark" viewBox="0 0 ${KEPT} 40" preserveAspectRatio="none" role="img"
    aria-label="Changes that are not durable yet, over the last minute; at most ${most}">
    ${svg`<polyline points=${points} />`}</svg>`;
}

function cards(s) {
  const m = s.metrics;
  return html`<section class="cards">
    ${card("Leader", s.leader < 0 ? "none" : s.role === "standalone" ? "this server, alone" : `server ${s.leader}`, `epoch ${s.epoch}`)}
    ${card("Read lease of this server", yes(s.holdsLease, "held", "not held"), s.leaseMillis === undefined ? "" : `${s.leaseMillis} ms left`)}
    ${card("Last change", s.lastIndex, `durable up to ${s.durableIndex}`)}
    ${card("Not durable yet", `${s.undurable} changes`, spark())}
    ${card("Reads", m.orca_reads_total, `${readsPerSecond} per second, ${m.orca_reads_through_leader_total} through the leader`)}
    ${card("Reads that waited for durability", m.orca_reads_triggering_flush, `${m.orca_reads_triggering_flush_percent.toFixed(2)} % of all`)}
    ${card("Replies held now", m.orca_replies_waiting, `${m.orca_replies_held_total} in all, mean ${(m.orca_reply_held_micros_mean / 1000).toFixed(2)} ms, longest ${(m.orca_reply_held_micros_max / 1000).toFixed(1)} ms`)}
    ${card("Flushes", m.orca_flushes_total, `mean ${(m.orca_flush_micros_mean / 1000).toFixed(2)} ms, longest ${(m.orca_flush_micros_max / 1000).toFixed(1)} ms`)}
  </section>`;
}

function members(s) {
  if (!s.members) {
    return s.role === "following" || s.role === "observing"
      ? html`<p>The active set is known to the leader, server ${s.leader}: see its console.</p>`
      : "";
  }
  return html`<h2>Active set</h2>
    <figure><table id="members">
      <thead><tr><th>Server</th><th>Answers reads</th><th>Lease left</th><th>Applied</th><th>behind</th><th>Persisted</th><th>behind</th></tr></thead>
      <tbody>
        ${s.members.map((m) => {
          const self = m.id === s.id;
          const lease = self ? s.leaseMillis : m.leaseMillis;
          return html`<tr data-server=${m.id}>
            <th>${m.id}${self ? " (leader)" : ""}</th>
            <td>${yes(self ? s.holdsLease : m.active)}</td><td>${lease} ms</td>
            <td>${self ? s.lastIndex : m.applied}</td><td>${self ? "0" : behind(m.unapplied)}</td>
            <td>${m.persisted}</td><td>${behind(m.unpersisted)}</td></tr>`;
        })}
      </tbody></table></figure>`;
}

function history(s) {
  if (s.roles.length === 0) {
    return "";
  }
  return html`<h2>Roles of this server</h2>
    <figure><table id="roles">
      <thead><tr><th>Since</th><th>Role</th><th>after</th></tr></thead>
      <tbody>${s.roles.map((r, i) => html`<tr><td>${new Date(r.at).toLocaleString()}</td><td>${r.role}</td>
        <td>${i + 1 < s.roles.length ? `${r.afterMillis} ms ${s.roles[i + 1].role === "looking" ? "of election" : s.roles[i + 1].role}` : ""}</td></tr>`)}</tbody>
    </table></figure>`;
}

function draw(s) {
  document.title = `Orca ${s.id || ""} ${s.role}`;
  const title = html`<header><h1>Server ${s.id || ""} <span class=${s.serving ? "yes" : "no"} id="role">${s.role}</span></h1>
    ${s.grid ? html`<p>It hosts a node of a grid: <a href="/grid" id="togrid">the grid</a>.</p>` : ""}</header>`;
  if (!s.serving || !s.metrics) {
    render(html`${title}<p class="no">It does not serve clients now.</p>${history(s)}`, place);
    return;
  }
  render(
    html`${title}${cards(s)}${members(s)}${history(s)}
      <details><summary>Settings</summary><code>${s.settings}</code></details>
      <p><small>The same as <a href="/state">JSON</a> and for <a href="/metrics">Prometheus</a>.</small></p>`,
    place,
  );
}

function remember(s) {
  if (!s.metrics) {
    return;
  }
  undurable.push(s.undurable);
  undurable.splice(0, undurable.length - KEPT);
  const now = performance.now();
  if (reads !== null && s.metrics.orca_reads_total >= reads) {
    readsPerSecond = Math.round(((s.metrics.orca_reads_total - reads) * 1000) / (now - last));
  }
  reads = s.metrics.orca_reads_total;
  last = now;
}

follow("/state", EVERY_MILLIS, (state) => {
  remember(state);
  draw(state);
});
