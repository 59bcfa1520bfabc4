import { ask, html, show } from "/demo.js";

const post = (p) => html`<div class="post" data-number=${p.number}><strong>${p.author}</strong> ${p.text} <small>#${p.number}</small></div>`;

async function send(event) {
  event.preventDefault();
  const field = document.getElementById("text");
  try {
    await ask("/act", { post: field.value });
    field.value = "";
  } catch (e) {
    alert(e.message);
  }
}

const follow = (user) => () => ask("/act", { follow: user }).catch((e) => alert(e.message));

function write(state) {
  const { users, following } = state.sides[0];
  return html`<form role="search" @submit=${send}>
      <input id="text" name="text" maxlength="280" placeholder="What is happening?" aria-label="Your post" required />
      <button id="post" type="submit">Post</button>
    </form>
    <p class="follow">
      You follow
      ${users.map((user) => html`<label><input type="checkbox" name=${user} .checked=${following.includes(user)} @change=${follow(user)} />${user}</label>`)}
    </p>`;
}

show(
  (side) => html`<p class="count ${side.disappearances > 0 ? "bad" : ""}">
      Posts that disappeared: <output data-gone>${side.disappearances}</output>
    </p>
    ${side.gone.length > 0 ? html`<div class="gone"><small>Were shown, are gone:</small>${side.gone.map(post)}</div>` : ""}
    <div class="timeline">${side.posts.map(post)}</div>`,
  write,
);
