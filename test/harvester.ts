/** Harvests a list of changes as Change Discovery 1.0 (section 3.5) has it, and checks each document by the schemas. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { apiPart } from '../src/features/discovery/discovery-openapi.ts';

interface Link {
  readonly id: string;
}

export interface Activity {
  readonly type: string;
  readonly object?: { readonly id: string; readonly type: string; readonly seeAlso?: readonly Link[] };
  readonly startTime?: string;
  readonly endTime?: string;
}

export interface Page {
  readonly id: string;
  readonly partOf: Link;
  readonly prev?: Link;
  readonly next?: Link;
  readonly orderedItems: readonly Activity[];
}

export interface Collection {
  readonly id: string;
  readonly totalItems: number;
  readonly first: Link;
  readonly last: Link;
}

const ajv = new Ajv2020({
  strict: false,
  formats: {
    uri: (value: string) => URL.canParse(value),
    'date-time': (value: string) => !Number.isNaN(Date.parse(value)),
  },
});
const { schemas = {} } = apiPart();

/** What is wrong with a document by a schema of the API description. */
export function faultsOf(name: 'ChangeCollection' | 'ChangePage' | 'ChangeActivity', document: unknown): unknown {
  const check = ajv.compile({ $ref: `#/components/schemas/${name}`, components: { schemas } });
  return check(document) ? [] : check.errors;
}

/** Answers the JSON at an address. */
export type Read = (address: string) => Promise<unknown>;

export async function collectionAt(address: string, read: Read): Promise<Collection> {
  const document = await read(address);
  expect(faultsOf('ChangeCollection', document)).toEqual([]);
  return document as Collection;
}

async function pageAt(address: string, read: Read): Promise<Page> {
  const document = await read(address);
  expect(faultsOf('ChangePage', document)).toEqual([]);
  return document as Page;
}

/** All pages, the first one first, whose links fit each other. */
export async function pagesOf(collection: Collection, read: Read): Promise<readonly Page[]> {
  const pages: Page[] = [];
  for (let at: string | undefined = collection.last.id; at !== undefined; ) {
    const page: Page = await pageAt(at, read);
    expect(page.partOf.id).toBe(collection.id);
    expect(page.next?.id).toBe(pages[0]?.id);
    pages.unshift(page);
    at = page.prev?.id;
  }
  expect(pages[0]?.id).toBe(collection.first.id);
  return pages;
}

export interface Harvest {
  /** What is there of what was known before, and what came. */
  readonly manifests: ReadonlySet<string>;
  readonly pagesRead: number;
  readonly processed: readonly Activity[];
}

/** All activities from the last page back, the latest first, and how many pages were read for them. */
async function* backwards(address: string, read: Read): AsyncGenerator<readonly [Activity, pagesRead: number]> {
  const { last } = await collectionAt(address, read);
  let pagesRead = 0;
  for (let at: string | undefined = last.id; at !== undefined; ) {
    const page: Page = await pageAt(at, read);
    pagesRead += 1;
    for (const activity of page.orderedItems.toReversed()) yield [activity, pagesRead];
    at = page.prev?.id;
  }
}

/** From the last page back, until what is known: activities that ended before the last harvest began. */
export async function harvest(
  address: string,
  read: Read,
  { manifests: known, sinceMs }: { readonly manifests: ReadonlySet<string>; readonly sinceMs: number | undefined },
): Promise<Harvest> {
  const manifests = new Set(known);
  const processed = new Map<string, Activity>();
  let pagesRead = 0;
  let onlyDelete = false;
  for await (const [activity, pages] of backwards(address, read)) {
    const { type, object, endTime } = activity;
    pagesRead = pages;
    if (sinceMs !== undefined && endTime !== undefined && Date.parse(endTime) < sinceMs) break;
    if (type === 'Refresh' && sinceMs === undefined) break;
    if (type === 'Refresh') onlyDelete = true;
    if (object === undefined || processed.has(object.id) || (onlyDelete && type !== 'Delete')) continue;
    if (type === 'Delete') manifests.delete(object.id);
    else manifests.add(object.id);
    processed.set(object.id, activity);
  }
  return { manifests, pagesRead, processed: [...processed.values()] };
}
