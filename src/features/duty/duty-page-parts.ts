/** The style and the script of the page for the person on duty. */

export const dutyStyle = `
#status { min-height: 1.6em; margin: .8rem 0 0; color: var(--accent); font-weight: 600; }
nav { display: flex; flex-wrap: wrap; gap: .4rem; margin: .4rem 0 1.4rem; }
nav a { padding: .45rem .9rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--card); text-decoration: none; }
nav a[aria-current] { background: var(--accent); border-color: var(--accent); color: var(--paper); font-weight: 600; }
dl { margin: 0; }
dt { color: var(--soft); font-size: .95rem; }
dd { margin: 0; font-variant-numeric: tabular-nums; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); gap: .8rem; }
.figures div { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .7rem 1rem; }
.figures dd { font-size: 1.6rem; line-height: 1.3; }
.now { display: grid; gap: .5rem; }
.now div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; border-bottom: 1px solid var(--line); padding-bottom: .5rem; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 0 3rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: right; vertical-align: middle; padding: .45rem 0 .45rem 1rem; border-bottom: 1px solid var(--line); font-weight: 400; white-space: nowrap; }
th[scope=row], th.name { text-align: left; padding-left: 0; white-space: normal; overflow-wrap: anywhere; }
th[scope=row] { width: 40%; }
th[scope=row] small { display: block; color: var(--soft); font-size: .85rem; }
thead th { color: var(--soft); font-size: .9rem; }
thead a { color: inherit; }
th[aria-sort] a { color: var(--accent); font-weight: 700; text-decoration: none; }
th[aria-sort] a::after { content: " ↓"; }
td.share { width: 7rem; }
meter { width: 6rem; height: .8rem; vertical-align: middle; background: none; border: 0; }
meter::-webkit-meter-bar { background: var(--line); border: 0; border-radius: .3rem; height: .5rem; }
meter::-webkit-meter-optimum-value { background: var(--accent); border-radius: .3rem; }
meter::-moz-meter-bar { background: var(--accent); }
tr.binds strong { color: var(--accent); display: block; font-size: .9rem; }
button { font: inherit; font-size: .9rem; padding: .35rem .8rem; border-radius: .4rem; border: 1px solid var(--accent); background: none; color: var(--accent); cursor: pointer; }
button:hover { background: var(--accent); color: var(--paper); }
.none { color: var(--soft); }
form.typed { margin-top: 2.8rem; display: flex; flex-wrap: wrap; align-items: center; gap: .6rem; }
form.typed p { width: 100%; margin: .2rem 0 0; color: var(--soft); font-size: .95rem; max-width: 44rem; }
input { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--soft); border-radius: .4rem; padding: .4rem .6rem; width: 16rem; max-width: 100%; }
@media (max-width: 44rem) {
  main { padding: 2rem 1rem 3rem; }
  td.share, thead td, .bytes, .buttons .refused { display: none; }
  th, td { padding-left: .4rem; font-size: .95rem; }
  thead th { white-space: normal; font-size: .8rem; }
  th[scope=row] { width: auto; min-width: 6rem; }
  td.do { white-space: normal; width: 5.6rem; }
  td.do button { padding: .35rem .4rem; }
}
`;

/**
 * The server writes the page anew, so that there is one form of it. It is not replaced while the pointer is on a button: rows change
 * their places, and another network must not be held than the one that was aimed at.
 */
export const dutyScript = `
const { gone } = JSON.parse(document.body.dataset.facts);
const live = document.getElementById('live');
const status = document.getElementById('status');
let isAsking = false;
const refresh = async (isForced) => {
  if (isAsking || document.hidden || (isForced !== true && live.querySelector('.do:hover'))) return;
  isAsking = true;
  try {
    const answer = await fetch(location.href);
    if (!answer.ok) throw new Error(answer.status);
    const next = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('live');
    const focused = live.contains(document.activeElement) ? document.activeElement.id : '';
    live.replaceChildren(...next.childNodes);
    if (focused) (document.getElementById(focused) ?? status).focus({ preventScroll: true });
    if (status.textContent === gone) status.textContent = '';
  } catch {
    status.textContent = gone;
  }
  isAsking = false;
};
setInterval(refresh, 2000);
document.addEventListener('visibilitychange', refresh);
document.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { target: form, submitter } = event;
  try {
    const body = new URLSearchParams(new FormData(form, submitter));
    const answer = await fetch(form.action, { method: 'POST', body, headers: { accept: 'application/json' } });
    status.textContent = (await answer.json()).message;
    if (answer.ok) form.reset();
  } catch {
    status.textContent = gone;
  }
  refresh(true);
});
`;
