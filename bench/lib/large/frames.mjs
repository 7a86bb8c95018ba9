/** Frames, long tasks and memory of a page while something is done in it. */

/** Starts counting in the page; what was counted before is forgotten. */
const startCounting = () => {
  const record = { times: [], tasks: 0, end: false };
  globalThis.lecternFrames = record;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) record.tasks += duration;
  });
  observer.observe({ entryTypes: ['longtask'] });
  const count = (now) => {
    if (record.end) return observer.disconnect();
    record.times.push(now);
    return requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
};

const stopCounting = () => {
  const record = globalThis.lecternFrames;
  record.end = true;
  return { times: record.times, tasks: record.tasks };
};

/** Frames per second, the 95th percentile and the longest of the times between frames, and the ms in tasks of more than 50 ms. */
export async function framesWhile(page, act) {
  await page.evaluate(startCounting);
  await act();
  const { times, tasks } = await page.evaluate(stopCounting);
  const gaps = times.slice(1).map((time, at) => time - times[at]);
  const sorted = gaps.toSorted((a, b) => a - b);
  return {
    perSecond: (1000 * gaps.length) / (times.at(-1) - times[0]),
    p95: sorted[Math.floor(sorted.length * 0.95)],
    longest: sorted.at(-1),
    tasks,
  };
}

/** The JavaScript heap and the nodes of the page, after a collection. */
export async function memoryOf(session) {
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const value = (name) => metrics.find((metric) => metric.name === name).value;
  return { heapMb: value('JSHeapUsedSize') / 1e6, nodes: value('Nodes') };
}
