/** The checks of one image: its info.json and picture, caching, and slashes in its identifier. */
import { formatIdentifierSegment, formatSegment } from '../../core/image/addresses/iiif-addresses.ts';
import type { Checking } from './address-checks.ts';
import { bad, type Finding, good, ifAnswered, jsonObject, NoAnswer, note, type Reply } from './probe.ts';

/** A check with one image. `image` is its path, without a slash before it. */
interface ImageChecking extends Checking {
  readonly image: string;
  /** The image as one segment of an IIIF address. */
  readonly identifier: string;
}

const withSlashes = (names: readonly string[]): string => names.map((name) => formatSegment(name)).join('%2F');

async function answers({ base, probe }: Checking, identifier: string): Promise<boolean> {
  const reply = await ifAnswered(probe(`${base}/iiif/3/${identifier}/info.json`));
  return !(reply instanceof NoAnswer) && reply.status === 200;
}

/** The identifier of an image: with `!` for slashes, or with `%2F` where only this answers, as with another setting `iiif.slash`. */
export async function identify(checking: Checking, image: string): Promise<ImageChecking> {
  const marked = formatIdentifierSegment(image);
  const escaped = withSlashes(image.split('/'));
  const isEscaped = !(await answers(checking, marked)) && (await answers(checking, escaped));
  return { ...checking, image, identifier: isEscaped ? escaped : marked };
}

const proxyAdvice =
  'Start Lectern with --trusted-proxy and the proxy’s address, or set http.publicAddress in its configuration; base.url above says more.';

/** Whether a browser on this page's scheme would refuse the address. */
const isMixed = (base: string, id: string): boolean => base.startsWith('https:') && id.startsWith('http:');

/** Why the address that info.json names yields no picture; undefined if it yields one. */
async function answersAt({ probe }: Checking, id: string): Promise<string | undefined> {
  const url = `${id}/full/!100,100/0/default.jpg`;
  if (!URL.canParse(url)) return `${id} is no address`;
  const reply = await ifAnswered(probe(url));
  if (reply instanceof NoAnswer) return `${url} does not answer: ${reply.message}`;
  const { status, type } = reply;
  return status === 200 && type === 'image/jpeg' ? undefined : `${url} answers with status ${status}`;
}

async function checkInfoJson(checking: ImageChecking, version: 2 | 3): Promise<Finding> {
  const { base, probe, identifier } = checking;
  const name = `info.json ${version}`;
  const requested = `${base}/iiif/${version}/${identifier}`;
  const reply = await probe(`${requested}/info.json`);
  const id = jsonObject(reply)?.[version === 2 ? '@id' : 'id'];
  if (reply.status !== 200 || typeof id !== 'string') {
    return bad(
      name,
      `${requested}/info.json answers with status ${reply.status}`,
      'See whether the image exists and may be seen by everyone; --image names another.',
    );
  }
  if (isMixed(base, id)) return bad(name, `${id} is http on a page of https, which browsers refuse`, proxyAdvice);
  if (id !== requested) return bad(name, `${id} instead of ${requested}`, proxyAdvice);
  const problem = await answersAt(checking, id);
  return problem === undefined
    ? good(name, `${id}, and its pictures answer`)
    : bad(
        name,
        problem,
        'The proxy passes info.json but not the pictures: it has to pass on everything below the context path.',
      );
}

/** The headers that pictures need, by what goes wrong without them. */
const pictureHeaders: readonly (readonly [header: string, advice: string])[] = [
  ['etag', 'Without it, browsers load every picture anew: see what in the proxy removes it.'],
  [
    'last-modified',
    'Without it, caches can’t ask whether a picture changed: see what in the proxy removes it. Pictures with redactions or a watermark have none.',
  ],
  ['cache-control', 'Without it, browsers guess how long pictures are good: see what in the proxy removes it.'],
];

function corsFinding({ headers }: Reply): Finding {
  const name = 'CORS';
  const allowed = headers.get('access-control-allow-origin');
  if (allowed === '*') return good(name, 'pages of all sites may read pictures');
  if (allowed === null) {
    return bad(
      name,
      'no Access-Control-Allow-Origin',
      'Viewers on other sites can’t read pictures: don’t let the proxy remove the header.',
    );
  }
  const isDoubled = allowed.includes(',');
  return isDoubled
    ? bad(
        name,
        `Access-Control-Allow-Origin: ${allowed}`,
        'Browsers refuse two values: Lectern sends the header itself, so remove the proxy’s own.',
      )
    : note(name, `Access-Control-Allow-Origin: ${allowed}, which is less than Lectern’s own *`);
}

function headerFindings({ headers }: Reply): readonly Finding[] {
  return pictureHeaders.map(([header, advice]) => {
    const value = headers.get(header);
    return value === null ? bad(header, 'missing on pictures', advice) : good(header, value);
  });
}

async function checkUnchanged({ probe }: Checking, { url, headers }: Reply): Promise<Finding> {
  const name = 'If-None-Match';
  const etag = headers.get('etag');
  if (etag === null) return note(name, 'not tested without an ETag');
  const { status } = await probe(url, { headers: { 'if-none-match': etag } });
  if (status === 304) return good(name, 'answered by 304');
  return bad(
    name,
    `answered by ${status} instead of 304`,
    'The proxy drops the request’s condition or changes the ETag: see its cache and compression.',
  );
}

async function checkHead({ probe }: Checking, { url, headers }: Reply): Promise<Finding> {
  const head = await probe(url, { method: 'HEAD' });
  const isSame = head.status === 200 && head.headers.get('etag') === headers.get('etag');
  if (isSame) return good('HEAD', 'gives the headers of the picture');
  return bad(
    'HEAD',
    `status ${head.status}${head.status === 200 ? ' with another ETag' : ''}`,
    'Let the proxy pass HEAD on like GET.',
  );
}

/** Checks the Scaler's picture, its headers, and requests that depend on them. */
export async function checkPicture(checking: ImageChecking): Promise<readonly Finding[]> {
  const { base, probe, image } = checking;
  const url = `${base}/Scaler?fn=${encodeURIComponent(image)}&dw=100`;
  const reply = await probe(url);
  if (reply.status !== 200 || !reply.type.startsWith('image/')) {
    const found = `${url} answers with status ${reply.status} and ${reply.type || 'no type'}`;
    return [bad('picture', found, 'See whether the image exists and may be seen by everyone; --image names another.')];
  }
  return [
    good('picture', `${reply.type} of ${reply.body.length.toLocaleString('en')} bytes`),
    corsFinding(reply),
    ...headerFindings(reply),
    await checkUnchanged(checking, reply),
    await checkHead(checking, reply),
  ];
}

/** What to do while a proxy does not pass encoded slashes on. */
async function workaround(checking: ImageChecking): Promise<string> {
  const works = await answers(checking, formatIdentifierSegment(checking.image));
  return works ? ' Until then, addresses with ! for the slashes work, and Lectern itself writes these.' : '';
}

/** Whether `%2F` in a path arrives as it was sent. */
async function checkSlashes(checking: ImageChecking): Promise<Finding> {
  const { base, probe, image } = checking;
  const name = 'encoded slashes';
  // An image that is in no folder is named with the folder that it is in, which is allowed.
  const names = image.includes('/') ? image.split('/') : ['.', image];
  const requested = `${base}/iiif/3/${withSlashes(names)}`;
  const reply = await probe(`${requested}/info.json`);
  const id = jsonObject(reply)?.['id'];
  const arrived =
    typeof id === 'string' && id.slice(id.lastIndexOf('/')) === requested.slice(requested.lastIndexOf('/'));
  if (reply.status === 200 && arrived) return good(name, '%2F arrives as it is sent');
  const found = reply.status === 200 ? '%2F arrives as another sign' : `%2F is answered by status ${reply.status}`;
  const advice =
    'In Apache, AllowEncodedSlashes NoDecode in the virtual host and nocanon on ProxyPass; in nginx, proxy_pass without a path or slash behind the port.';
  return bad(name, found, advice + (await workaround(checking)));
}

/** Checks whether compression changes the ETag of documents; then caches load them again each time. */
async function checkCompression({ base, probe, identifier }: ImageChecking): Promise<Finding> {
  const name = 'compression';
  const url = `${base}/iiif/3/${identifier}/info.json`;
  const gzip = { 'accept-encoding': 'gzip' };
  const { headers } = await probe(url, { headers: gzip });
  const encoding = headers.get('content-encoding') ?? '';
  if (encoding === '') return note(name, 'documents are not compressed; the proxy can do it');
  const etag = headers.get('etag');
  if (etag === null) return note(name, `${encoding} removes the ETag of documents, so they are loaded anew each time`);
  const { status } = await probe(url, { headers: { ...gzip, 'if-none-match': etag } });
  return status === 304
    ? good(name, `${encoding}, and the ETag keeps its meaning`)
    : note(name, `${encoding} changes the ETag of documents, so they are loaded anew each time`);
}

/** All checks with one image, a group at a time. */
export const imageChecks: readonly ((checking: ImageChecking) => Promise<readonly Finding[]>)[] = [
  async (checking) => [await checkInfoJson(checking, 3)],
  async (checking) => [await checkInfoJson(checking, 2)],
  checkPicture,
  async (checking) => [await checkSlashes(checking)],
  async (checking) => [await checkCompression(checking)],
];
