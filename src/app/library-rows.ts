/** What the overview of the configuration says of the library: what is known of it, and whether its disks answer. */
import type { OverviewRow } from '../http/config-page.ts';
import type { LibraryLoad } from '../library/library.ts';
import type { IoLoad } from '../library/stats/io-limiter.ts';

const counted = (count: number, bytes: number): string =>
  `${count.toLocaleString('en')}, about ${Math.ceil(bytes / 1024 / 1024)} MiB`;

const rowOfDisk = ({ directory = 'elsewhere', running, waiting, isHanging }: IoLoad): OverviewRow => ({
  name: `disk of ${directory}`,
  value: isHanging ? 'does not answer' : 'answers',
  meaning: `${running} file operations are under way there, and ${waiting} wait`,
});

/** As it is now. */
export const libraryRows = ({ folders, files, disk }: LibraryLoad): readonly OverviewRow[] => [
  { name: 'known folders', value: counted(folders.folders, folders.bytes) },
  { name: 'known images', value: counted(files.files, files.bytes) },
  ...disk.map(rowOfDisk),
];
