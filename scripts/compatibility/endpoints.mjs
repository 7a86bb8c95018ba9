// digilib's addresses, what becomes of each, and requests on the golden images with the status of their answers.
import { differs, setting, works } from './status.mjs';

/** `requests` are sent by test/protocol/compatibility.test.ts. */
export const endpoints = [
  {
    name: '`/Scaler`, `/servlet/Scaler`, `/authenticated/servlet/Scaler`',
    status: differs(
      `errors have their true status (404, 403, 400) unless ${setting('digilib.legacyErrorStatus')} is set`,
    ),
    requests: { '/Scaler?fn=photos/odd1201x799&dw=50': 200, '/authenticated/servlet/Scaler/photos?pn=5&dw=50': 200 },
  },
  {
    name: '`/api/dlInfo-json.jsp`',
    status: differs(
      'exactly the 31 members, escaped; `base.url` and `servlet.request` hold the full requested address',
    ),
    requests: { '/api/dlInfo-json.jsp?fn=photos/odd1201x799': 200, '/dlInfo-json.jsp': 200 },
  },
  {
    name: '`/api/dlInfo-xml.jsp`',
    status: differs('the members of the info object, escaped'),
    requests: { '/api/dlInfo-xml.jsp': 200, '/dlInfo-xml.jsp': 200 },
  },
  {
    name: '`/api/ImgInfo-json.jsp`',
    status: differs('callers who may not see an image get `auth_required` and nothing about the image'),
    requests: { '/api/ImgInfo-json.jsp?fn=photos/odd1201x799': 200, '/ImgInfo-json.jsp': 200 },
  },
  {
    name: '`/api/dirInfo-json.jsp`, `/api/dirInfo-xml.jsp`',
    status: differs(
      'escaped; no path of the host (`fsname` of the folder); files that the caller may not see are left out',
    ),
    requests: { '/api/dirInfo-json.jsp?fn=photos': 200, '/dirInfo-xml.jsp?fn=photos': 200 },
  },
  {
    name: '`/api/dlContext-xml.jsp`',
    status: differs('also has contexts with a link and a name'),
    requests: { '/api/dlContext-xml.jsp?fn=photos/land3000x2000': 200, '/dlContext-xml.jsp': 200 },
  },
  {
    name: '`/server/dlConfig.jsp`',
    status: differs('for the role `admin`, or, without access rules, for the machine itself; keys are left out'),
    requests: { '/server/dlConfig.jsp': 200 },
  },
  {
    name: '`/server/dlRequest.jsp`, `/server/dlCache.jsp`',
    status: differs('removed (404): the info object and the configuration page have the same information'),
    requests: { '/server/dlRequest.jsp': 404 },
  },
  {
    name: '`/Scaler/IIIF[/1\\|2\\|3]/…`, `/servlet/Scaler/IIIF/…`',
    status: differs('follows the IIIF specifications exactly where digilib is lenient or wrong'),
    requests: {
      '/Scaler/IIIF/photos!odd1201x799/info.json': 200,
      '/servlet/Scaler/IIIF/3/photos%2Fodd1201x799/full/50,/0/default.jpg': 200,
    },
  },
  {
    name: '`/Manifester/IIIF[/2\\|3]/…`, `/servlet/Manifester/IIIF/…`',
    status: differs('unreadable files have no canvas; pages that the caller may not see are left out'),
    requests: {
      '/Manifester/IIIF/books!book1': 200,
      '/Manifester/IIIF/3/books!book1/manifest': 200,
      '/servlet/Manifester/IIIF/2/books!book1/manifest': 200,
    },
  },
  {
    name: '`/Texter`, `/servlet/Texter`',
    status: differs(
      'texts of pages, admitted like their images; other text files only from folders for texts; HTML and XML without scripts',
    ),
    requests: { '/servlet/Texter?fn=books/book1': 404 },
  },
  {
    name: '`/PDFCache`, `/servlet/PDFCache`',
    status: differs(
      'each page is admitted as its picture is, and asked again at each request; the logo is that of the settings; nothing is fetched',
    ),
    requests: { '/PDFCache?fn=books/book1&pgs=1-2': 400 },
  },
  {
    name: '`/digilib.html`, `/jquery/digilib.html`, `/embedded.html`, `/greyskin/…`, `/oldskin/…` (viewers)',
    status: differs(
      'links open the reading room with the same view; with `--webapp DIR` a site’s own page of that name is sent instead',
    ),
    requests: {
      '/digilib.html?fn=photos&pn=2&ww=0.5': 200,
      '/jquery/digilib.html?photos+2': 200,
      '/embedded.html?fn=photos': 200,
      '/greyskin/digilib.html?fn=photos': 200,
      '/greyskin/diginew.jsp?fn=photos': 200,
      '/oldskin/digilib.html?fn=photos': 200,
      '/oldskin/digilib.jsp?photos+2': 200,
      '/oldskin/digimage.jsp?fn=photos': 200,
    },
  },
  {
    name: '`/digicat.html`, `/digicat.jsp`, `/jquery/digicat.html`, `/oldskin/digicat.jsp` (contact sheets)',
    status: differs(
      'links open the folder’s light table in the reading room; with `--webapp DIR` a site’s own page is sent instead',
    ),
    requests: {
      '/digicat.html?fn=photos': 200,
      '/digicat.jsp?photos+2': 200,
      '/jquery/digicat.html?fn=photos': 200,
      '/oldskin/digicat.jsp?fn=photos': 200,
    },
  },
  {
    name: 'other static pages and scripts, such as `/jquery/…`',
    status: `${works} with \`--webapp DIR\`, which serves a site’s own pages unchanged`,
    requests: { '/jquery/jquery.digilib.js': 404 },
  },
  {
    name: '`/digilib.jsp`, `/digimage.jsp`',
    status: differs('removed (404): pages that old versions rendered on the server'),
    requests: { '/digimage.jsp?fn=photos': 404 },
  },
];
