/** The tables of the configuration page: the settings, the process and the library as they are now. */
import { decoderName } from '@lectern/jpeg2000';
import type { Derivatives } from '../../core/cache/derivatives.ts';
import type { SettingRow } from '../../core/feature.ts';
import type { Library, RootState } from '../../core/library/library.ts';
import type { Pyramids } from '../../core/pyramids/pyramids.ts';
import type { Renderer } from '../../core/render/renderer.ts';
import { totalOf } from '../../core/render/schedule/scheduler.ts';
import type { IoLoad } from '../../core/storage/storage.ts';
import type { OverviewRow, OverviewTable } from './config-route.ts';

interface Parts {
  readonly renderer: Renderer;
  readonly derivatives: Derivatives;
  readonly pyramids: Pyramids;
  readonly library: Library;
}

const mebibytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`;

const row = (name: string, value: string, meaning = ''): OverviewRow => ({ name, value, meaning });

const sharingRow = (isShared: boolean): OverviewRow =>
  row('queue of pyramids', isShared ? 'shared through Redis' : 'of this server alone', 'Redis may not answer for now');

async function processRows({ renderer, derivatives, pyramids }: Parts): Promise<readonly OverviewRow[]> {
  // Loaded only for this page: the server process itself does not need libvips.
  const { default: sharp } = await import('sharp');
  const { running, waiting } = totalOf(renderer.load());
  const { hits, misses, memory, disk } = derivatives.stats();
  const derived = pyramids.load();
  const onDisk = disk && `${mebibytes(disk.bytes)} in ${disk.entries} pictures, ${disk.state}`;
  return [
    row('node', process.version),
    row('libvips', sharp.versions.vips),
    row('JPEG 2000', decoderName(), 'what decodes it'),
    row('system', `${process.platform} ${process.arch}`),
    row('uptime', `${Math.round(process.uptime())} s`),
    row('memory', mebibytes(process.memoryUsage.rss())),
    row('rendering', String(running), 'pictures that are being rendered'),
    row('waiting', String(waiting), 'pictures that wait for a turn'),
    row(
      'hits',
      `${hits.memory} memory, ${hits.disk} disk, ${hits.shared} shared, ${hits.joined} joined`,
      'of the cache',
    ),
    row('misses', String(misses), 'pictures that had to be made'),
    row('cache in memory', `${mebibytes(memory.bytes)} in ${memory.entries} pictures`),
    row('cache on disk', onDisk ?? ''),
    row('pyramids', `${derived.count}, ${mebibytes(derived.bytes)}`, 'derived pyramids in the store'),
    row('pyramids to make', String(derived.waiting), 'those that are being made, and those that wait'),
    row('pyramids that failed', String(derived.failed), 'they are not tried again by themselves'),
    ...(derived.isShared === undefined ? [] : [sharingRow(derived.isShared)]),
  ];
}

const counted = (count: number, bytes: number): string =>
  `${count.toLocaleString('en')}, about ${Math.ceil(bytes / 1024 / 1024)} MiB`;

const rootValues = { answers: 'answers', hanging: 'does not answer', missing: 'has no such folder' } as const;

const rootRow = ({ folder, state, sinceMs }: RootState): OverviewRow => ({
  name: `disk of ${folder}`,
  value: rootValues[state],
  meaning: sinceMs === undefined ? '' : `it was asked for the first time at ${new Date(sinceMs).toISOString()}`,
});

const diskRow = ({ directory = 'elsewhere', running, waiting }: IoLoad): OverviewRow =>
  row(`operations in ${directory}`, `${running} running, ${waiting} waiting`);

async function libraryRows(library: Library): Promise<readonly OverviewRow[]> {
  const roots = await library.checkRoots();
  const { folders, files, disk } = library.load();
  return [
    row('known folders', counted(folders.folders, folders.bytes)),
    row('known images', counted(files.files, files.bytes)),
    ...roots.map(rootRow),
    ...disk.map(diskRow),
  ];
}

export const overviewOf = async (settings: readonly SettingRow[], parts: Parts): Promise<readonly OverviewTable[]> => [
  { heading: 'Settings', rows: settings },
  { heading: 'Process', rows: await processRows(parts) },
  { heading: 'Library', rows: await libraryRows(parts.library) },
];
