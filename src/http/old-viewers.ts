/** The paths of digilib's viewers and contact sheets in its different versions (digilib-viewer.md). */

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
