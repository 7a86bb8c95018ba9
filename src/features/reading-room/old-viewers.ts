/** The paths of digilib's viewers and contact sheets in its different versions (digilib-viewer.md). */

import type { Target } from '../../core/http/target.ts';
import type { PagePlace } from './pages/description.ts';
import { oldPlace } from './pages/place.ts';

/** Below the context path. Links to them open the reading room, which parses their queries itself. */
export const oldViewerPaths: readonly [string, ...string[]] = [
  '/digilib.html',
  '/jquery/digilib.html',
  '/embedded.html',
  '/jquery/digicat.html',
  '/digicat.html',
  '/digicat.jsp',
  '/digilib.jsp',
  '/greyskin/digilib.html',
  '/greyskin/diginew.jsp',
  '/oldskin/digilib.html',
  '/oldskin/digilib.jsp',
  '/oldskin/digimage.jsp',
  '/oldskin/digicat.jsp',
];

/** The page at an address of an old viewer; sites have moved these to other folders, so that only the last names count. */
export function oldViewerPlace({ path, query }: Target): PagePlace | undefined {
  const viewer = oldViewerPaths.find((old) => path.endsWith(old));
  return viewer === undefined ? undefined : oldPlace(viewer.slice(viewer.lastIndexOf('/') + 1), query);
}
