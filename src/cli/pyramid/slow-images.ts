/** Finds the images below folders that are slow to cut, and those that can't be read. */
import path from 'node:path';
import type { Resolution } from '../../image/model/image-set.ts';
import { slownessOf } from '../../image/plan/slow-sources.ts';
import { type OrientationRule, Prober } from '../../library/facts/probe.ts';
import { Folders } from '../../library/listings/folders.ts';
import type { Listing } from '../../library/listings/listing.ts';
import { containmentIn } from '../../library/roots/containment.ts';
import { messageOf, printable } from '../common/text.ts';

/** One page of a file that is slow to cut. */
export interface SlowImage {
  readonly shown: string;
  readonly source: Resolution;
  /** Why tiles of it are slow to cut, as the end of a sentence. */
  readonly reason: string;
}

/** The result of a search. */
export interface Findings {
  /** Pages of image files that can be read. */
  readonly images: number;
  readonly slow: readonly SlowImage[];
  /** Images that are slow and can't have a pyramid. */
  readonly unfit: readonly string[];
  /** Lines of the form `path: sentence`. */
  readonly faults: readonly string[];
}

export interface SearchOptions {
  readonly followLinksOutside: boolean;
  readonly orientation: OrientationRule;
  readonly signal: AbortSignal;
}

/** How many files are open at once. */
const batch = 32;

/** How deep folders are followed. */
const maxDepth = 100;

/** The result of a search so far. */
interface PartialFindings {
  images: number;
  readonly slow: SlowImage[];
  readonly unfit: string[];
  readonly faults: string[];
}

function addPages(findings: PartialFindings, shown: string, pages: readonly Resolution[]): void {
  findings.images += pages.length;
  for (const [index, source] of pages.entries()) {
    const name = pages.length > 1 ? `${shown}, page ${index + 1}` : shown;
    const { kind, reason } = slownessOf(source);
    if (kind === 'slow') findings.slow.push({ shown: name, source, reason });
    if (kind === 'unfit') findings.unfit.push(`${name}: ${reason}`);
  }
}

/** Searches one folder of the command line and all folders in it. */
async function searchRoot(root: string, options: SearchOptions, findings: PartialFindings): Promise<void> {
  const location = path.resolve(root);
  const isContained = containmentIn([location], options.followLinksOutside);
  const folders = new Folders(location, { isContained });
  const seen = new Set<string>();
  const waiting: (readonly string[])[] = [[]];
  const shownIn = (segments: readonly string[], name = ''): string => printable(path.join(root, ...segments, name));

  async function imagesOf(segments: readonly string[]): Promise<readonly string[]> {
    const listing = await folders.list(segments);
    if (listing === undefined) findings.faults.push(`${shownIn(segments)}: The folder may not be read.`);
    if (listing === undefined || seen.has(listing.directory)) return [];
    seen.add(listing.directory);
    for (let from = 0; from < listing.images.length && !options.signal.aborted; from += batch) {
      const names = listing.images.slice(from, from + batch);
      await Promise.all(names.map((name) => probe(listing, name, shownIn(segments, name))));
    }
    return segments.length < maxDepth ? listing.folders : [];
  }

  async function probe(listing: Listing, name: string, shown: string): Promise<void> {
    const fault = (reason: string): void => void findings.faults.push(`${shown}: ${reason}`);
    const { orientation } = options;
    const prober = new Prober({ isContained, orientation, onUnreadable: (_, reason) => fault(reason) });
    try {
      addPages(findings, shown, await prober.probe(listing, name));
    } catch (error) {
      fault(messageOf(error));
    }
  }

  for (let next = waiting.pop(); next !== undefined && !options.signal.aborted; next = waiting.pop()) {
    const segments = next;
    const names = await imagesOf(segments).catch((error: unknown) => {
      findings.faults.push(`${shownIn(segments)}: ${messageOf(error)}`);
      return [];
    });
    waiting.push(...[...names].reverse().map((name) => [...segments, name]));
  }
}

const byName = (one: SlowImage, other: SlowImage): number =>
  one.shown < other.shown ? -1 : one.shown > other.shown ? 1 : 0;

/** Searches folders for images that are slow to cut. */
export async function findSlowImages(roots: readonly string[], options: SearchOptions): Promise<Findings> {
  const findings: PartialFindings = { images: 0, slow: [], unfit: [], faults: [] };
  for (const root of roots) await searchRoot(root, options, findings);
  return { ...findings, slow: [...findings.slow].sort(byName) };
}
