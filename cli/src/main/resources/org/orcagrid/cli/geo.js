import { html, render } from "/lib/lit-html.js";
import { card, follow, place, warn } from "/page.js";

const EVERY_MILLIS = 1000;

/** An age of less is a beat or two of an idle partition. */
const OLD_MILLIS = 2000;

const megabytes = (bytes) => `${(bytes / (1 << 20)).toFixed(1)} MB`;

const share = (count, all) => (count === all ? html`<span class="yes">all ${all}</span>` : html`<span class="warn">${count} of ${all}</span>`);

function lag([entries, millis]) {
  const text = `${entries} entries, ${millis} ms`;
  return entries > 0 && millis > OLD_MILLIS ? html`<span class="warn">${text}</span>` : text;
}

function node(s, n) {
  const name = html`<th>${n.number}</th><td>${n.datacenter}</td><td>${n.address}${n.isSelf ? " (this node)" : ""}</td>`;
  if (!n.answers) {
    return html`<tr data-node=${n.number}>${name}<td colspan=${9 + s.datacenters.length}><span class="no">does not answer</span></td></tr>`;
  }
  const c = n.counts;
  return html`<tr data-node=${n.number}>${name}
    <td>${share(c.serves, c.partitions)}</td><td>${c.leads}</td><td>${c.forwards}, ${megabytes(c.unacknowledged)}</td><td>${c.keys}</td><td>${c.deletions}</td>
    <td>${c.waiting}</td><td>${warn(c.missed)}</td><td>${c.log}, ${megabytes(c.journal)}</td><td>${c.clients}</td>
    ${s.datacenters.map((d) => html`<td>${d === n.datacenter ? "" : lag(n.lags[d])}</td>`)}</tr>`;
}

function draw(s) {
  const up = s.nodes.filter((n) => n.answers);
  const sum = (name) => up.reduce((all, n) => all + n.counts[name], 0);
  render(
    html`<h1>The store “${s.name}”</h1>
      <div class="cards">
        ${card("Nodes", `${up.length} of ${s.nodes.length}`, "answer", up.length === s.nodes.length ? "yes" : "no")}
        ${card("Partitions led", `${sum("leads")} of ${s.partitions * s.datacenters.length}`, `${s.partitions} in each of ${s.datacenters.length} datacenters`)}
        ${card("Waiting", sum("waiting"), "requests, for writes to come")}
        ${card("Missed deadlines", sum("missed"), "since the nodes were started")}
      </div>
      <figure><table id="nodes">
        <thead><tr><th>Node</th><th>Datacenter</th><th>Address</th><th>Serves</th><th>Leads</th><th>Forwards</th><th>Keys</th><th>Deletions</th>
          <th>Waiting</th><th>Missed</th><th>Log</th><th>Clients</th>${s.datacenters.map((d) => html`<th>Behind ${d}</th>`)}</tr></thead>
        <tbody>${s.nodes.map((n) => node(s, n))}</tbody>
      </table></figure>`,
    place,
  );
}

follow("/state", EVERY_MILLIS, draw);
