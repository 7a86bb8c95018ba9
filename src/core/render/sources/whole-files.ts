/** Requires that a file has all of its pixels, whatever its format. */

import { requireWholeJpeg } from './jpeg-damage.ts';
import type { OpenedRender } from './opened-file.ts';
import { requireWholePng } from './png-damage.ts';

/** The result of work that decodes the plan’s source. Throws ImageError `damaged` where a JPEG or PNG lacks a part, also below the one that is decoded. */
export const requireWholeFile = <T>(plan: OpenedRender, work: () => Promise<T>): Promise<T> =>
  plan.sourceFormat === 'png' ? requireWholePng(plan, work) : requireWholeJpeg(plan, work);
