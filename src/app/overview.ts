/** The tables of the configuration page: the settings, the process and the library as they are now. */
import type { Derivatives } from '../cache/derivatives.ts';
import { settingRows } from '../config/overview.ts';
import type { Settings } from '../config/settings.ts';
import type { OverviewRow, OverviewTable } from '../http/config-page.ts';
import type { Library } from '../library/library.ts';
import type { IoLoad } from '../library/stats/io-limiter.ts';
import type { Pyramids } from '../pyramids/pyramids.ts';
import type { Renderer } from '../render/renderer.ts';

interface Parts {
  readonly renderer: Renderer;
  readonly derivatives: Derivatives;
  readonly pyramids: Pyramids;
  readonly library: Library;
}

const mebibytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`;

async function processRows({ renderer, derivatives, pyramids }: Parts): Promise<readonly OverviewRow[]> {
  // Loaded only for this page: the server process itself does not need libvips.
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

const counted = (count: number, bytes: number): string =>
  `${count.toLocaleString('en')}, about ${Math.ceil(bytes / 1024 / 1024)} MiB`;

const diskRow = ({ directory = 'elsewhere', running, waiting, isHanging }: IoLoad): OverviewRow => ({
  name: `disk of ${directory}`,
  value: isHanging ? 'does not answer' : 'answers',
  meaning: `${running} file operations are under way there, and ${waiting} wait`,
});

function libraryRows(library: Library): readonly OverviewRow[] {
  const { folders, files, disk } = library.load();
  return [
    { name: 'known folders', value: counted(folders.folders, folders.bytes) },
    { name: 'known images', value: counted(files.files, files.bytes) },
    ...disk.map(diskRow),
  ];
}

export const overviewOf = async (settings: Settings, parts: Parts): Promise<readonly OverviewTable[]> => [
  { heading: 'Settings', rows: settingRows(settings) },
  { heading: 'Process', rows: await processRows(parts) },
  { heading: 'Library', rows: libraryRows(parts.library) },
];
