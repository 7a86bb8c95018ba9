/** Files of guided views beside the images of a folder: which there are, and their steps as far as a caller may see them. */
import { LRUCache } from 'lru-cache';
import pMap, { pMapSkip } from 'p-map';
import { type Admission, ifAdmitted } from '../../core/access/admit.ts';
import { bounded } from '../../core/access/if-answering.ts';
import type { Caller } from '../../core/access/policy.ts';
import { outward } from '../../core/image/model/geometry.ts';
import { childOf, formatIdentifier, type Identifier, joinPage } from '../../core/image/model/identifier.ts';
import { type Admitted, highest, type ImageSet, storedHighest } from '../../core/image/model/image-set.ts';
import { overlap } from '../../core/image/model/redaction.ts';
import { parseTour, partOfView, type Tour, type TourStep, tourEnding, tourLimits } from '../../core/image/tour/tour.ts';
import { stepBodies, stepSelector } from '../../core/image/tour/tour-annotations.ts';
import type { Folder } from '../../core/library/library.ts';
import type { TourCard, TourFiles } from '../../core/ports.ts';

export interface TourSource {
  /** The names in a folder that end with `.json`. */
  jsonFilesOf(folder: Identifier): Promise<ReadonlySet<string>>;
  /** The text of a file by its name alone; undefined where there is none that may be read. */
  readText(folder: Identifier, name: string): Promise<string | undefined>;
}

export interface TourFilesParts {
  readonly source: TourSource;
  readonly admission: Pick<Admission, 'admit' | 'arePathsVisible'>;
  /** Called once for each version of a file that can't be used. */
  readonly onFault: (fault: { readonly folder: string; readonly file: string; readonly message: string }) => void;
}

/** Of so many files of a folder each is read for its lists; more are served, but not listed. */
const mostListed = 50;

/** A step that the caller may see; of a page of this library with its image. */
export interface SeenStep {
  readonly step: TourStep;
  readonly image: Admitted<ImageSet> | undefined;
}

export interface ToursOfFolders extends TourFiles {
  /** The guided views in a file, with the steps that the caller may see; undefined where there is none. */
  seen(folder: Admitted<Folder>, name: string, caller: Caller): Promise<SeenTour | undefined>;
}

export interface SeenTour {
  readonly tour: Tour;
  /** One for each of its steps. */
  readonly steps: readonly SeenStep[];
}

/** Whether a step is about something that is covered for the caller: its words may tell what is there. */
function isAboutCovered(view: string, image: Admitted<ImageSet>): boolean {
  const redactions = image.covers?.redactions ?? [];
  if (redactions.length === 0) return false;
  const part = partOfView(view);
  const { width, height } = storedHighest(image);
  const box =
    part && outward({ x: part.x * width, y: part.y * height, width: part.width * width, height: part.height * height });
  return box === undefined || redactions.some((rect) => overlap(rect, box));
}

/** The name of a page in its folder, as `joinPage` writes it. */
const pageName = ({ name, page }: ImageSet): string => joinPage(name, page);

export function createTourFiles({ source, admission, onFault }: TourFilesParts): ToursOfFolders {
  const reported = new LRUCache<string, true>({ max: 1000 });
  function report(folder: string, file: string, length: number): void {
    const key = JSON.stringify([folder, file, length]);
    if (reported.has(key)) return;
    reported.set(key, true);
    onFault({ folder, file, message: 'The file holds no guided views, so it is ignored.' });
  }

  async function namesIn(folder: Identifier): Promise<readonly string[]> {
    const names = [...(await source.jsonFilesOf(folder))].filter((name) => name.endsWith(tourEnding));
    return names.sort().slice(0, mostListed);
  }

  async function read({ identifier }: Pick<Folder, 'identifier'>, name: string, caller: Caller) {
    if (!name.endsWith(tourEnding) || !admission.arePathsVisible([childOf(identifier, name)], caller)) return undefined;
    const text = await source.readText(identifier, name);
    if (text === undefined) return undefined;
    const folder = formatIdentifier(identifier);
    const tour = text.length > tourLimits.bytes ? undefined : parsed(text, folder);
    if (tour === undefined) report(folder, name, text.length);
    return tour;
  }

  /** The image of a step; undefined where the caller may see neither it nor what is said of it. */
  async function imageOf({ page, view }: TourStep, caller: Caller): Promise<Admitted<ImageSet> | undefined> {
    const image = await ifAdmitted(admission.admit(page, 1, caller));
    return image === undefined || image.terms?.tier.texts === false || isAboutCovered(view, image) ? undefined : image;
  }

  const isOutside = ({ page }: TourStep): boolean => page.startsWith('//');

  async function seenStep(step: TourStep, caller: Caller): Promise<SeenStep | undefined> {
    if (isOutside(step)) return { step, image: undefined };
    const image = await imageOf(step, caller);
    return image && { step, image };
  }

  /** The others are not looked at. */
  async function firstSeen(tour: Tour, caller: Caller): Promise<TourStep | undefined> {
    for (const step of tour.steps) if ((await seenStep(step, caller)) !== undefined) return step;
    return undefined;
  }

  async function allIn(folder: Pick<Folder, 'identifier'>, caller: Caller) {
    const files = await namesIn(folder.identifier);
    return pMap(
      files,
      async (name) => {
        const tour = await read(folder, name, caller);
        return tour === undefined ? pMapSkip : { name, tour };
      },
      bounded,
    );
  }

  /** The steps about pages of a folder, by the names of the pages. */
  async function stepsByPage(folder: Pick<Folder, 'identifier'>, caller: Caller) {
    const found = new Map<string, SeenStep[]>();
    const around = formatIdentifier(folder.identifier);
    for (const { tour } of await allIn(folder, caller)) {
      const seen = await pMap(tour.steps, (step) => seenStep(step, caller), bounded);
      for (const one of seen) {
        if (one?.image === undefined) continue;
        const { image } = one;
        if (image.identifier.segments.slice(0, -1).join('/') !== around) continue;
        found.set(pageName(image), [...(found.get(pageName(image)) ?? []), one]);
      }
    }
    return found;
  }

  return {
    async toursIn(folder, caller) {
      const tours = await allIn(folder, caller);
      return pMap(
        tours,
        async ({ name, tour }): Promise<TourCard | typeof pMapSkip> => {
          const first = await firstSeen(tour, caller);
          if (first === undefined) return pMapSkip;
          const path = formatIdentifier(childOf(folder.identifier, name));
          return { path, name, title: tour.title, summary: tour.summary, first };
        },
        bounded,
      );
    },
    async pagesIn(folder, caller) {
      return new Set((await stepsByPage(folder, caller)).keys());
    },
    async stepsOn(folder, page, caller) {
      const seen = (await stepsByPage(folder, caller)).get(page) ?? [];
      return seen.flatMap(({ step, image }) => {
        if (image === undefined) return [];
        const part = partOfView(step.view) ?? { x: 0, y: 0, width: 1, height: 1 };
        const selectors = [{ ...stepSelector({ part, size: highest(image) }) }];
        const more = Object.keys(step.title).length === 0 ? {} : { label: step.title };
        return [{ id: '', motivation: ['commenting'], bodies: stepBodies(step), selectors, more }];
      });
    },
    async seen(folder, name, caller) {
      const tour = await read(folder, name, caller);
      if (tour === undefined) return undefined;
      const steps = await pMap(tour.steps, async (step) => (await seenStep(step, caller)) ?? pMapSkip, bounded);
      return steps.length === 0 ? undefined : { tour: { ...tour, steps: steps.map(({ step }) => step) }, steps };
    },
  };
}

function parsed(text: string, folder: string): Tour | undefined {
  try {
    return parseTour(JSON.parse(text.replace(/^\uFEFF/, '')), folder);
  } catch {
    return undefined;
  }
}
