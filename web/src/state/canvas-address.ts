/** The canvas of the open image for other programs: in the manifest of its folder, or in that of another host. */

import type { Size } from '../../../src/core/image/model/geometry.ts';
import { keyOfPage, presentationAddresses } from '../../../src/features/presentation/model/addresses.ts';
import { foreignImage } from '../data/foreign-images.ts';
import { baseAddress, pageSettings } from '../data/page-settings.ts';
import { partOnCanvas } from '../model/manifest/place.ts';
import { type Rect, wholeImage } from '../model/view-state.ts';
import type { Opened } from './opened.ts';

export interface CanvasAddress {
  readonly manifest: string;
  readonly canvas: string;
  /** In units of the canvas. */
  readonly size: Size;
  /** The place of the image on the canvas, in fractions of the canvas. */
  readonly place: Rect;
}

/** The address of the manifest that the open image is in. */
export function manifestAddress({ path, folder }: Opened): string {
  const base = `${baseAddress()}presentation/3`;
  return foreignImage(path)?.manifest ?? presentationAddresses(base, folder.path, pageSettings.iiifSlash).manifest;
}

/** `image` is the size of the image in pixels, which are the units of canvases of this library. */
export function canvasAddress(opened: Opened, image: Size): CanvasAddress {
  const { path, folder, card, inner } = opened;
  const manifest = manifestAddress(opened);
  const foreign = foreignImage(path)?.page;
  if (foreign !== undefined)
    return { manifest, canvas: foreign.canvasId, size: foreign.canvas ?? image, place: foreign.place };
  const { part } = presentationAddresses(`${baseAddress()}presentation/3`, folder.path, pageSettings.iiifSlash);
  return { manifest, canvas: part('canvas', keyOfPage(card.name, inner)), size: image, place: wholeImage };
}

/** The address of the annotations of an image of this library, relative to the base. */
export const ownAnnotations = ({ folder, card, inner }: Opened): string =>
  presentationAddresses('presentation/3', folder.path, pageSettings.iiifSlash).part(
    'annotations',
    keyOfPage(card.name, inner),
  );

/** A part of the image in fractions of its canvas. */
export const onCanvas = (region: Rect, { place }: CanvasAddress): Rect => partOnCanvas(region, place);
