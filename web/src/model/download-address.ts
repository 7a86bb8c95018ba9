/** The address of a download of the visible picture. */
import type { Size } from '../../../src/core/image/model/geometry.ts';
import type { Download } from './download.ts';
import { iiifAddress } from './iiif-address.ts';
import { type PictureFormat, scalerQuery } from './scaler-address.ts';
import type { ViewState } from './view-state.ts';

export interface DownloadAddress {
  /** Relative to the base. */
  readonly path: string;
  readonly format: PictureFormat;
}

const isQuarter = (degrees: number): boolean => degrees % 90 === 0;

/**
 * Other rotations than by 90° leave corners: white ones in JPEG by IIIF, black ones by the Scaler (digilib.md, section 2). What
 * IIIF can't express is sent as PNG, in which they are transparent.
 */
export function downloadAddress(
  state: ViewState,
  image: Size,
  { requested }: Download,
  format: PictureFormat,
  slash: string,
): DownloadAddress {
  const byScaler = (as: PictureFormat): DownloadAddress => ({
    path: `Scaler?${scalerQuery(state, { ...requested, format: as })}`,
    format: as,
  });
  if (format !== 'jpg' || isQuarter(state.rotation)) return byScaler(format);
  const { width, height } = requested;
  const size = width === undefined || height === undefined ? 'max' : `${width},${height}`;
  const { path, unsupported } = iiifAddress(state, image, slash, size);
  return unsupported.includes('color') ? byScaler('png') : { path, format };
}
