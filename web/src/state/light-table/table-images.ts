/** What is known of the images on a light table: their labels, sizes and scales, requested a few at a time. */
import { type ReadonlySignal, signal } from '@preact/signals';
import type { FolderListing } from '../../../../src/core/image/folder/folder-listing.ts';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { splitPage } from '../../../../src/core/image/model/identifier.ts';
import { type Answer, fault, fetchFolder, type Problem } from '../../data/fetch.ts';
import { fetchImageFacts, type ImageFacts } from '../../data/image-info.ts';
import { language } from '../../messages/messages.ts';
import { isForeign } from '../../model/address/address-text.ts';
import type { ImageSize } from '../../model/light-table/arrangement.ts';
import { scaleFromDpi } from '../../model/measure/extents.ts';
import type { ImageScale } from '../../model/measure/measure.ts';
import { readNotes } from '../../model/notes/own-notes.ts';
import { readStored } from '../stored-preferences.ts';

/** An image of a table. */
export interface TableImageFacts extends ImageSize {
  readonly label: string;
  /** The title of its book. */
  readonly title: string;
}

type Known = TableImageFacts | { readonly problem: Problem };

const all = signal<ReadonlyMap<string, Known>>(new Map());

/** By path; images that are still requested are missing. */
export const knownImages: ReadonlySignal<ReadonlyMap<string, Known>> = all;

export const factsOf = (path: string): TableImageFacts | undefined => {
  const known = all.value.get(path);
  return known === undefined || 'problem' in known ? undefined : known;
};

export const problemAt = (path: string): Problem | undefined => {
  const known = all.value.get(path);
  return known !== undefined && 'problem' in known ? known.problem : undefined;
};

/** The reader's own scale of an image, by a length that was measured on it, has precedence over that of its file. */
function scaleOf(path: string, { dpiX, dpiY }: ImageFacts): ImageScale | undefined {
  const own = readNotes(readStored(`notes:${path}`)).scale;
  if (own !== undefined) return own;
  return dpiX > 0 && dpiY > 0 ? scaleFromDpi({ x: dpiX, y: dpiY }) : undefined;
}

interface Named {
  readonly label: string;
  readonly title: string;
}

/** Labels of the images of folders that were listed, by path. */
const names = new Map<string, Named>();

function rememberNames({ images, title }: FolderListing): void {
  for (const { path, label } of images) names.set(path, { label, title });
}

/** The path without the page of its file. */
const fileOf = (path: string): string => splitPage(path).file;

async function nameOf(path: string, abort: AbortSignal): Promise<Answer<Named>> {
  const known = names.get(fileOf(path));
  if (known !== undefined) return { ok: true, value: known };
  if (isForeign(path)) {
    // Its images are known from then on.
    const { findElsewhere } = await import('../foreign.ts');
    const found = await findElsewhere(path, 1, abort);
    if (!found.ok) return found;
    if (found.value.kind === 'collection') return fault('collection');
    if (found.value.kind === 'page') rememberNames(found.value.folder);
  } else {
    const answer = await fetchFolder(fileOf(path), language.peek(), {}, abort);
    if (!answer.ok) return answer;
    rememberNames(answer.value);
  }
  const named = names.get(fileOf(path));
  return named === undefined ? fault('not-found') : { ok: true, value: named };
}

async function find(path: string, abort: AbortSignal): Promise<Known> {
  const name = await nameOf(path, abort);
  if (!name.ok) return { problem: name.problem };
  const facts = await fetchImageFacts(path);
  if (!facts.ok) return { problem: facts.problem };
  const size: Size = { width: facts.value.width, height: facts.value.height };
  return { ...name.value, size, scale: scaleOf(path, facts.value) };
}

/** Requests at a time. */
const most = 4;

const wanted = new Set<string>();

/** Requests what is not known yet. */
export async function needImages(paths: readonly string[], abort: AbortSignal): Promise<void> {
  const missing = [...new Set(paths)].filter((path) => !all.peek().has(path) && !wanted.has(path));
  for (const path of missing) wanted.add(path);
  const next = async (): Promise<boolean> => {
    const path = missing.shift();
    if (path === undefined) return false;
    const known = await find(path, abort);
    wanted.delete(path);
    if (!abort.aborted) all.value = new Map([...all.peek(), [path, known]]);
    return true;
  };
  const rest = async (): Promise<void> => {
    while (await next());
  };
  // The first one alone, since its folder's answer names most of the others.
  await next();
  await Promise.all(Array.from({ length: most }, rest));
}

/** Forgets what failed, to ask again. */
export function forgetProblems(): void {
  all.value = new Map([...all.peek()].filter(([, known]) => !('problem' in known)));
}
