/** What the images that are selected are to others: addresses, and a list as a file. */
import type { ImageCard } from '../../../../src/image/folder-page.ts';
import { baseAddress, pageSettings } from '../../data/page-settings.ts';
import { addressOfPlace } from '../../state/place.ts';
import { imagePlace } from '../browse/library-place.ts';
import { imageService } from '../open-with/addresses.ts';

const roomAddress = ({ path }: ImageCard): string => addressOfPlace(imagePlace(path));

const infoAddress = ({ path }: ImageCard): string =>
  `${imageService(path, { base: baseAddress(), slash: pageSettings.iiifSlash })}/info.json`;

export const addressLines = (images: readonly ImageCard[]): string => images.map(roomAddress).join('\n');

export const infoLines = (images: readonly ImageCard[]): string => images.map(infoAddress).join('\n');

/** The images as JSON: where each lies, what it is called, and its addresses. */
const listText = (images: readonly ImageCard[]): string =>
  `${JSON.stringify(
    images.map((image) => ({
      path: image.path,
      label: image.label,
      width: image.width,
      height: image.height,
      address: roomAddress(image),
      info: infoAddress(image),
    })),
    undefined,
    2,
  )}\n`;

/** Gives the list to the reader as a file. */
export function downloadList(images: readonly ImageCard[], folder: string): void {
  const address = URL.createObjectURL(new Blob([listText(images)], { type: 'application/json' }));
  const name = folder.split('/').at(-1) || 'library';
  Object.assign(document.createElement('a'), { href: address, download: `${name}-images.json` }).click();
  // The download has begun by then; the browser keeps what it reads.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
