/** What the overview of the configuration says of the process itself. */
import type { Derivatives } from '../cache/derivatives.ts';
import type { OverviewRow } from '../http/config-page.ts';
import type { Pyramids } from '../pyramids/pyramids.ts';
import type { Renderer } from '../render/renderer.ts';

const mebibytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`;

/** Versions, times, memory and the renderer's load, as they are now. */
export async function processRows(
  renderer: Renderer,
  derivatives: Derivatives,
  pyramids: Pyramids,
): Promise<readonly OverviewRow[]> {
  // Loaded for those who look: the server itself has no use for libvips.
  const { default: sharp } = await import('sharp');
  const { running, waiting } = renderer.load();
  const { hits, misses, memory, disk } = derivatives.stats();
  const derived = pyramids.load();
  return [
    { name: 'node', value: process.version },
    { name: 'libvips', value: sharp.versions.vips },
    { name: 'system', value: `${process.platform} ${process.arch}` },
    { name: 'uptime', value: `${Math.round(process.uptime())} s` },
    { name: 'memory', value: mebibytes(process.memoryUsage.rss()) },
    { name: 'rendering', value: String(running), meaning: 'pictures that are being rendered' },
    { name: 'waiting', value: String(waiting), meaning: 'pictures that wait for a turn' },
    { name: 'hits', value: `${hits.memory} memory, ${hits.disk} disk, ${hits.joined} joined`, meaning: 'of the cache' },
    { name: 'misses', value: String(misses), meaning: 'pictures that had to be made' },
    { name: 'cache in memory', value: `${mebibytes(memory.bytes)} in ${memory.entries} pictures` },
    {
      name: 'cache on disk',
      value: disk === undefined ? '' : `${mebibytes(disk.bytes)} in ${disk.entries} pictures, ${disk.state}`,
    },
    {
      name: 'pyramids',
      value: `${derived.count}, ${mebibytes(derived.bytes)}`,
      meaning: 'derived pyramids in the store',
    },
    {
      name: 'pyramids to make',
      value: String(derived.waiting),
      meaning: 'the one that is being made, and those that wait',
    },
  ];
}
