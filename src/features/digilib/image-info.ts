/** The document of ImgInfo-json.jsp (digilib.md, section 4). */
import type { Disclosure } from '../../core/image/folder/folder-description.ts';
import { dpiOf, highest, type ImageSet } from '../../core/image/model/image-set.ts';

/** The members of ImgInfo-json.jsp, in pixels of the highest resolution; an unknown dpi is 0. */
export function imageInfo(answer: Disclosure<ImageSet>): object {
  if (answer.kind === 'none') return {};
  if (answer.kind === 'denied') return { auth_required: true };
  const { width, height } = highest(answer.value);
  const dpi = dpiOf(answer.value);
  return {
    filename: answer.value.name,
    ...(answer.guarded ? { auth_required: false } : {}),
    aspect: width / height,
    dpi_x: dpi?.x ?? 0,
    dpi_y: dpi?.y ?? 0,
    width,
    height,
  };
}
