/** The images of one folder as far as they are loaded, a part at a time. */
import { type ReadonlySignal, signal } from '@preact/signals';
import type { FolderListing, ImageCard } from '../../../src/core/image/folder/folder-listing.ts';
import { nameEqual } from '../../../src/core/image/folder/page-labels.ts';
import { fetchFolder, type Problem } from '../data/fetch.ts';
import { language } from '../messages/messages.ts';

const partSize = 100;

const maxConcurrent = 2;

const partOf = (at: number): number => Math.floor((at - 1) / partSize);

/** Positions of images count from 1. Components that read an image are rendered again when it has loaded. */
export class FolderImages {
  readonly path: string;
  /** Whether a part that failed is requested again when it is needed again, or only by `retry`. */
  readonly #retries: 'automatic' | 'manual';
  readonly #listing = signal<FolderListing | undefined>(undefined);
  readonly #problem = signal<Problem | undefined>(undefined);
  /** The folder, from the first part that has loaded. */
  readonly listing: ReadonlySignal<FolderListing | undefined> = this.#listing;
  readonly problem: ReadonlySignal<Problem | undefined> = this.#problem;
  readonly #cards = new Map<number, ImageCard>();
  readonly #loads = new Map<number, Promise<void>>();
  readonly #failed = new Set<number>();
  /** Changes with every answer. */
  readonly #version = signal(0);
  readonly #closing = new AbortController();
  #queue: readonly number[] = [];
  #running = 0;

  constructor(path: string, retries: 'automatic' | 'manual', first?: FolderListing) {
    this.path = path;
    this.#retries = retries;
    if (first !== undefined) this.#add(first);
  }

  /** Number of images in the folder; 0 until any part has loaded. */
  get total(): number {
    return this.#listing.value?.totalImages ?? 0;
  }

  cardAt(at: number): ImageCard | undefined {
    this.#version.value;
    return this.#cards.get(at);
  }

  isMissing(at: number): boolean {
    this.#version.value;
    return this.#failed.has(partOf(at));
  }

  /** The position of an image by its path; undefined where its part has not loaded. */
  positionOf(path: string): { readonly at: number; readonly card: ImageCard } | undefined {
    for (const [at, card] of this.#cards) if (card.path === path) return { at, card };
    return undefined;
  }

  /** The position of the first loaded image with a label; case and accents are ignored. */
  labelled(label: string): number | undefined {
    const isWanted = nameEqual(label);
    const found = [...this.#cards].filter(([, card]) => isWanted?.(card.label));
    return found.length === 0 ? undefined : Math.min(...found.map(([at]) => at));
  }

  /** Loads the parts of these positions, before all that were needed earlier. */
  need(positions: Iterable<number>): void {
    const parts = new Set([...positions].map(partOf));
    this.#queue = [...new Set([...parts, ...this.#queue])].filter((part) => !this.#isRequested(part));
    this.#startQueued();
  }

  /** Loads the image at a position; undefined where that fails. */
  async find(at: number): Promise<ImageCard | undefined> {
    if (!this.#isRequested(partOf(at))) this.#load(partOf(at));
    await this.#loads.get(partOf(at));
    return this.#cards.get(at);
  }

  retry(): void {
    const failed = [...this.#failed];
    for (const part of failed) this.#loads.delete(part);
    this.#failed.clear();
    this.#problem.value = undefined;
    this.need(failed.map((part) => part * partSize + 1));
  }

  close(): void {
    this.#closing.abort();
  }

  #add(listing: FolderListing): void {
    for (const [index, card] of listing.images.entries()) this.#cards.set(listing.from + index, card);
    this.#listing.value ??= listing;
  }

  /** Whether a part has loaded, is loading, or has failed and waits for `retry`. */
  #isRequested(part: number): boolean {
    const listing = this.#listing.peek();
    if (this.#loads.has(part) || listing === undefined) return this.#loads.has(part);
    const count = Math.min(partSize, listing.totalImages - part * partSize);
    return Array.from({ length: Math.max(0, count) }).every((_, index) => this.#cards.has(part * partSize + 1 + index));
  }

  #startQueued(): void {
    while (this.#running < maxConcurrent) {
      const [next, ...others] = this.#queue;
      if (next === undefined) return;
      this.#queue = others;
      this.#running += 1;
      void this.#load(next).then(() => {
        this.#running -= 1;
        this.#startQueued();
      });
    }
  }

  #load(part: number): Promise<void> {
    const load = this.#loads.get(part) ?? this.#request(part);
    this.#loads.set(part, load);
    return load;
  }

  async #request(part: number): Promise<void> {
    const range = { from: part * partSize + 1, count: partSize };
    const answer = await fetchFolder(this.path, language.peek(), range, this.#closing.signal);
    if (this.#closing.signal.aborted) return;
    if (answer.ok) {
      this.#failed.delete(part);
      this.#add(answer.value);
    } else {
      this.#failed.add(part);
      if (this.#retries === 'automatic') this.#loads.delete(part);
    }
    this.#problem.value = answer.ok ? undefined : answer.problem;
    this.#version.value++;
  }
}
