/**
 * Runs in the page before its own script. `shownAt`: when the table of servers first had rows, in milliseconds from the start
 * of loading. `keyTimes`: for each key, how long until the hits of what then stood in the field were painted.
 */
const clock = { shownAt: undefined, keyTimes: [] };
globalThis.benchClock = clock;

/** Keys that were not answered yet, by what stood in the field. */
const open = new Map();

document.addEventListener('input', ({ target }) => open.set(target.value.trim(), performance.now()), true);

new MutationObserver(() => {
  if (clock.shownAt === undefined && document.querySelector('.table tbody tr') !== null) {
    requestAnimationFrame(() => {
      clock.shownAt ??= performance.now();
    });
  }
  const query = document.querySelector('[data-query]')?.dataset.query.trim() ?? '';
  const start = open.get(query);
  if (start === undefined) return;
  open.delete(query);
  requestAnimationFrame(() => clock.keyTimes.push(performance.now() - start));
}).observe(document, { subtree: true, childList: true, attributes: true });
