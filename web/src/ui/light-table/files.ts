/** Saves the light table as a file or as a collection of annotations, and opens both. */
import { keyOfPage, presentationAddresses } from '../../../../src/core/image/addresses/iiif-addresses.ts';
import { splitPage } from '../../../../src/core/image/model/identifier.ts';
import { baseAddress, opensManifests, pageSettings } from '../../data/page-settings.ts';
import { tableMessage } from '../../messages/light-table-messages.ts';
import { language } from '../../messages/messages.ts';
import { foreignPath, parseForeignPath } from '../../model/address/address-text.ts';
import { parseJson } from '../../model/json-value.ts';
import {
  formatTableAnnotations,
  type NamedImage,
  type PaintedSource,
  parseTableAnnotations,
} from '../../model/light-table/table-annotations.ts';
import { formatTableFile, parseTableFile } from '../../model/light-table/table-file.ts';
import { servicePath } from '../../model/view/image-service.ts';
import { ratioOf, replaceTable, table } from '../../state/light-table/table.ts';
import { factsOf } from '../../state/light-table/table-images.ts';
import { addressOfRoute, page } from '../../state/route.ts';
import { saveFile } from '../common/elements.ts';

const day = (): string => new Date().toISOString().slice(0, 10);

function save(value: object, type: string, name: string): void {
  saveFile(new Blob([`${JSON.stringify(value, undefined, 2)}\n`], { type }), name);
}

export const saveTable = (): void =>
  save(formatTableFile(table.peek()), 'application/json', `light-table-${day()}.json`);

/** The canvas of an image of this library in the manifest of its folder. */
function ownAddresses(path: string): { readonly manifest: string; readonly canvas: string } {
  const { file, page: inner } = splitPage(path);
  const at = file.lastIndexOf('/');
  const base = `${baseAddress()}presentation/3`;
  const addresses = presentationAddresses(base, file.slice(0, Math.max(0, at)), pageSettings.iiifSlash);
  const canvas = addresses.part('canvas', keyOfPage(file.slice(at + 1), inner));
  return { manifest: addresses.manifest, canvas };
}

function namedImage(path: string): NamedImage | undefined {
  const facts = factsOf(path);
  if (facts === undefined) return undefined;
  const { label, title, size } = facts;
  const named = { label: [title, label].filter((text) => text !== '').join(', '), size };
  const foreign = parseForeignPath(path);
  if (foreign !== undefined) return { ...named, ...foreign, service: undefined };
  return { ...named, ...ownAddresses(path), service: baseAddress() + servicePath(path, pageSettings.iiifSlash) };
}

export function saveAnnotations(): void {
  const here = page.peek();
  if (here.kind !== 'light-table') return;
  const label = `${tableMessage('title')}, ${new Date().toLocaleDateString(language.peek())}`;
  const collection = formatTableAnnotations(table.peek(), {
    id: addressOfRoute(here),
    label,
    ratioOf,
    imageOf: namedImage,
  });
  save(collection, 'application/ld+json', `light-table-${day()}-annotations.json`);
}

/** The path of an image of this library by its service; of other hosts, where they may be opened, by manifest and canvas. */
function pathOf({ service, canvas, manifest }: PaintedSource): string | undefined {
  const own = `${baseAddress()}iiif/3/`;
  if (service.startsWith(own)) {
    try {
      return decodeURIComponent(service.slice(own.length).replaceAll(pageSettings.iiifSlash, '/'));
    } catch {
      return undefined;
    }
  }
  return opensManifests && manifest !== '' && canvas !== '' ? foreignPath({ manifest, canvas }) : undefined;
}

/** Opens the table of a file; false for a file that has none. */
export async function openTableFile(file: File): Promise<boolean> {
  const json = parseJson(await file.text());
  const found = parseTableFile(json) ?? parseTableAnnotations(json, pathOf);
  if (found !== undefined) replaceTable(found);
  return found !== undefined;
}
