/** The images of one folder as far as they have come, a part at a time. */
import { signal } from '@preact/signals';
import type { FolderListing, ImageCard } from '../../../src/image/folder/folder-listing.ts';
import { askFolder } from '../data/folder.ts';
import { language } from '../messages/message.ts';

/** How many images are asked for at once. */
const partLength = 100;

export class FolderPages {
  readonly path: string;
  readonly total: number;
  readonly #cards = new Map<number, ImageCard>();
  readonly #asked = new Set<number>();
  readonly #version = signal(0);

  /** Begins with the part of the folder that is known. */
  constructor(first: FolderListing) {
    this.path = first.path;
    this.total = first.totalImages;
    this.#add(first);
  }

  #add({ from, images }: FolderListing): void {
    for (const [index, card] of images.entries()) this.#cards.set(from + index, card);
    this.#version.value++;
  }

  /** The image at a place, from 1; undefined as long as it has not come. Who draws with it is drawn anew when it comes. */
  cardAt(place: number): ImageCard | undefined {
    this.#version.value;
    return this.#cards.get(place);
  }

  /** Where an image is, by its path; undefined where its part has not come. */
  placeOf(path: string): { readonly at: number; readonly card: ImageCard } | undefined {
    for (const [at, card] of this.#cards) if (card.path === path) return { at, card };
    return undefined;
  }

  /** Asks for what is missing between two places, both included. */
  async need(from: number, to: number): Promise<void> {
    const first = Math.floor((Math.max(1, from) - 1) / partLength);
    const last = Math.floor((Math.min(this.total, to) - 1) / partLength);
    const parts = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
    await Promise.all(parts.map((part) => this.#askPart(part)));
  }

  async #askPart(part: number): Promise<void> {
    const from = part * partLength + 1;
    const length = Math.min(partLength, this.total - from + 1);
    const isHere = Array.from({ length }, (_, index) => from + index).every((place) => this.#cards.has(place));
    if (isHere || this.#asked.has(part)) return;
    this.#asked.add(part);
    const answer = await askFolder(this.path, language.value, { from, count: partLength });
    if (answer.ok) this.#add(answer.value);
    // Asked again when somebody looks there again.
    else this.#asked.delete(part);
  }

  /** The image at a place, waiting for it; undefined where it can't be had. */
  async find(place: number): Promise<ImageCard | undefined> {
    await this.need(place, place);
    return this.#cards.get(place);
  }
}
