/** The images of a folder that are loaded in parts. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FolderListing, ImageCard } from '../../../../src/core/image/folder/folder-listing.ts';
import { FolderImages } from '../../../../web/src/state/folder-images.ts';

const total = 450;

/** A request whose answer the test gives. */
interface Pending {
  readonly from: number;
  answer(status?: number): void;
}

let pending: Pending[];

const cardAt = (at: number): ImageCard => ({ path: `book/${at}.png` }) as ImageCard;

const listingFrom = (from: number): FolderListing =>
  ({
    path: 'book',
    from,
    totalImages: total,
    images: Array.from({ length: Math.min(100, total - from + 1) }, (_, index) => cardAt(from + index)),
  }) as unknown as FolderListing;

/** Lets answers arrive. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

const requested = (): readonly number[] => pending.map(({ from }) => from);

beforeEach(() => {
  pending = [];
  vi.stubGlobal('document', { baseURI: 'http://library.example/' });
  vi.stubGlobal(
    'fetch',
    (address: URL) =>
      new Promise<Response>((resolve) => {
        const from = Number(address.searchParams.get('from'));
        pending.push({ from, answer: (status = 200) => resolve(Response.json(listingFrom(from), { status })) });
      }),
  );
});
afterEach(() => vi.unstubAllGlobals());

it('requests at most two parts at a time, and those first that were needed last', async () => {
  const images = new FolderImages('book', 'manual');
  images.need([1, 101, 201]);
  images.need([401]);
  expect(requested()).toEqual([1, 101]);
  pending[0]?.answer();
  await settled();
  expect(requested()).toEqual([1, 101, 401]);
  expect(images.cardAt(1)?.path).toBe('book/1.png');
  expect(images.cardAt(101)).toBeUndefined();
  expect(images.total).toBe(total);
});

it('requests no part twice, nor one that the first listing holds', async () => {
  const images = new FolderImages('book', 'automatic', listingFrom(101));
  images.need([150, 199, 250]);
  images.need([250]);
  expect(requested()).toEqual([201]);
  expect((await images.find(200))?.path).toBe('book/200.png');
  expect(images.positionOf('book/150.png')?.at).toBe(150);
});

it('finds an image at once, before the parts that wait', async () => {
  const images = new FolderImages('book', 'automatic', listingFrom(1));
  images.need([101, 201, 301]);
  const found = images.find(450);
  expect(requested()).toEqual([101, 201, 401]);
  pending[2]?.answer();
  expect((await found)?.path).toBe('book/450.png');
  expect(await images.find(451)).toBeUndefined();
});

it('requests a part that failed again when it is needed again', async () => {
  const images = new FolderImages('book', 'automatic', listingFrom(1));
  const found = images.find(101);
  pending[0]?.answer(500);
  expect(await found).toBeUndefined();
  const again = images.find(101);
  pending[1]?.answer();
  expect((await again)?.path).toBe('book/101.png');
  expect(images.isMissing(101)).toBe(false);
});

it('leaves a part that failed until the reader tries again', async () => {
  const images = new FolderImages('book', 'manual');
  images.need([1]);
  pending[0]?.answer(503);
  await settled();
  expect([images.isMissing(1), images.problem.value, images.listing.value]).toEqual([true, 'busy', undefined]);
  images.need([1]);
  expect(requested()).toEqual([1]);
  images.retry();
  expect([images.isMissing(1), images.problem.value]).toEqual([false, undefined]);
  pending[1]?.answer();
  await settled();
  expect(images.cardAt(100)?.path).toBe('book/100.png');
});
