import { html, show } from "/demo.js";
import { svg } from "/lib/lit-html.js";

// The route: corners of a closed line, and a user stands somewhere between two of them.
const CORNERS = [[30, 40], [110, 20], [200, 35], [270, 25], [285, 95], [240, 150], [170, 130], [100, 165], [35, 135], [20, 85]];
const STEPS = 120;

const lengths = CORNERS.map(([x, y], i) => {
  const [nextX, nextY] = CORNERS[(i + 1) % CORNERS.length];
  return Math.hypot(nextX - x, nextY - y);
});
const total = lengths.reduce((a, b) => a + b, 0);

function place(step, lane) {
  let left = (((step % STEPS) / STEPS) * total + lane * (total / 4)) % total;
  let corner = 0;
  while (left > lengths[corner]) {
    left -= lengths[corner];
    corner = (corner + 1) % CORNERS.length;
  }
  const [x, y] = CORNERS[corner];
  const [nextX, nextY] = CORNERS[(corner + 1) % CORNERS.length];
  const share = left / lengths[corner];
  return [x + (nextX - x) * share, y + (nextY - y) * share];
}

function dot(user, lane) {
  const [x, y] = place(user.step, lane);
  const [farX, farY] = place(user.furthest, lane);
  const behind = user.furthest > user.step;
  return svg`<g class="user" data-name=${user.name} data-step=${user.step}>
    ${behind ? svg`<line class="back" x1=${farX} y1=${farY} x2=${x} y2=${y} /><circle class="seen" cx=${farX} cy=${farY} r="8" />` : ""}
    <circle class="user-${lane}" cx=${x} cy=${y} r="6" />
    <text class="name" x=${x + 8} y=${y - 6}>${user.name}</text>
  </g>`;
}

show(
  (side) => html`<svg viewBox="0 0 335 185" role="img" aria-label="The park">
      <polygon class="route" points=${CORNERS.map((corner) => corner.join(",")).join(" ")} />
      ${side.users.map(dot)}
    </svg>
    <p class="count ${side.jumps > 0 ? "bad" : ""}">
      Jumped back: <output data-jumps>${side.jumps}</output> times
      ${side.jumps > 0 ? html`(${side.users.filter((u) => u.jumps > 0).map((u) => `${u.name} ${u.jumps}, last by ${u.back} steps`).join("; ")})` : ""}
    </p>`,
);
