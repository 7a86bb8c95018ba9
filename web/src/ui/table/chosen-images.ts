/** Exports the selected images: addresses for the clipboard, and a list as a file. */
import type { ImageCard } from '../../../../src/core/image/folder/folder-listing.ts';
import { imageRoute } from '../../model/address/routes.ts';
import { csvText } from '../../model/measure/csv-tables.ts';
import { addressOfRoute } from '../../state/route.ts';
import { saveFile } from '../common/save-file.ts';
import { infoAddress } from '../open-with/addresses.ts';

const viewAddress = ({ path }: ImageCard): string => addressOfRoute(imageRoute(path));

export const addressLines = (images: readonly ImageCard[]): string => images.map(viewAddress).join('\n');

export const infoLines = (images: readonly ImageCard[]): string =>
  images.map(({ path }) => infoAddress(path)).join('\n');

const rowOf = (image: ImageCard) => ({
  path: image.path,
  label: image.label,
  width: image.width,
  height: image.height,
  address: viewAddress(image),
  info: infoAddress(image.path),
});

type Row = ReturnType<typeof rowOf>;

const columns: readonly (keyof Row)[] = ['path', 'label', 'width', 'height', 'address', 'info'];

type ListFormat = 'json' | 'csv';

const mediaTypes: Readonly<Record<ListFormat, string>> = { json: 'application/json', csv: 'text/csv;charset=utf-8' };

function listText(images: readonly ImageCard[], format: ListFormat): string {
  const rows = images.map(rowOf);
  if (format === 'json') return `${JSON.stringify(rows, undefined, 2)}\n`;
  return csvText([columns, ...rows.map((row) => columns.map((column) => row[column]))]);
}

export function downloadList(images: readonly ImageCard[], folder: string, format: ListFormat): void {
  const name = folder.split('/').at(-1) || 'library';
  saveFile(new Blob([listText(images, format)], { type: mediaTypes[format] }), `${name}-images.${format}`);
}
