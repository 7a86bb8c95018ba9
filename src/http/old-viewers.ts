/** The addresses that digilib's viewers and contact sheets have had over the years (digilib-viewer.md). */

/** Below the context path. Links to them open the reading room, which reads them itself. */
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
