/** Checks of addresses: whether the address that the server names is the one that was requested, byte for byte. */
import { parameterNames } from '../../features/digilib/parameters.ts';
import { bad, type Finding, good, ifAnswered, jsonObject, NoAnswer, note, notReadyIn, type Probe } from './probe.ts';

export interface Checking {
  /** The address that people use, without a slash at its end. */
  readonly base: string;
  readonly probe: Probe;
}

const infoPath = '/api/dlInfo-json.jsp';

function adviceFor(requested: string, named: string): string {
  const form =
    'start Lectern with --trusted-proxy and the proxy’s address, or set http.publicAddress in its configuration';
  if (!URL.canParse(named)) return `The answer holds no address; see whether ${requested} is Lectern’s.`;
  const [a, b] = [new URL(requested), new URL(named)];
  if (a.host !== b.host) {
    return `The proxy has to send Host or X-Forwarded-Host with the public name: in nginx, proxy_set_header Host $http_host; in Apache, ProxyPreserveHost On. If it sends X-Forwarded-Host, ${form}.`;
  }
  if (a.protocol !== b.protocol) {
    return `The proxy has to send X-Forwarded-Proto (in nginx, proxy_set_header X-Forwarded-Proto $scheme), and Lectern has to believe it: ${form}.`;
  }
  if (a.pathname !== b.pathname) {
    return 'The proxy serves another path than Lectern: give both the same by --context-path, or let the proxy send X-Forwarded-Prefix.';
  }
  return 'The proxy changes the query: in nginx, let proxy_pass end behind the port; in Apache, add nocanon to ProxyPass.';
}

/** Whether the server answers at all; if not, nothing else can be tested. */
export async function checkReachable({ base, probe }: Checking): Promise<Finding> {
  const name = 'reachable';
  const reply = await ifAnswered(probe(`${base}/`));
  if (reply instanceof NoAnswer) {
    return bad(
      name,
      `${base}/ does not answer: ${reply.message}`,
      'See whether the server runs, whether its name and certificate are right, and whether a firewall is in between.',
    );
  }
  const found = `${base}/ answers with status ${reply.status}`;
  if (reply.status < 500) return good(name, found);
  return bad(name, found, 'The proxy does not reach Lectern: see whether it runs, and on which port.');
}

/** Whether the server says that its parts are ready; a proxy need not pass the address on. */
export async function checkReady({ base, probe }: Checking): Promise<Finding> {
  const name = 'ready';
  const reply = await probe(`${base}/readyz`);
  const notReady = notReadyIn(reply);
  if (reply.status === 503 && notReady.length > 0) {
    return bad(name, `not ready: ${notReady.join(', ')}`, 'The server’s log and its configuration page say more.');
  }
  if (reply.status !== 200) return note(name, `/readyz is not passed on (status ${reply.status})`);
  return notReady.length === 0 ? good(name, 'all parts are') : note(name, `it serves without ${notReady.join(', ')}`);
}

/** Whether http leads to https. */
export async function checkScheme({ base, probe }: Checking): Promise<Finding> {
  const name = 'https';
  const { protocol, hostname, port, pathname } = new URL(base);
  if (protocol === 'http:')
    return note(name, 'asked by http; pages on https can’t show pictures and manifests from http');
  if (port !== '') return note(name, `the port ${port} is the address’s own; whether http leads here was not tested`);
  const reply = await ifAnswered(probe(`http://${hostname}${pathname}/`));
  if (reply instanceof NoAnswer) return note(name, `http does not answer (${reply.message})`);
  const { status, headers } = reply;
  const location = headers.get('location') ?? '';
  if (status >= 300 && status < 400 && location.startsWith('https://'))
    return good(name, `http leads to it (${status})`);
  return bad(
    name,
    `http answers with status ${status} and does not lead to https`,
    'Let the proxy redirect http to https: in nginx, return 308 https://$host$request_uri; in Apache, Redirect permanent / https://…/.',
  );
}

/** The info object: its members, and the address in it. */
export async function checkInfoObject({ base, probe }: Checking): Promise<readonly Finding[]> {
  const url = base + infoPath;
  const reply = await probe(url);
  const document = jsonObject(reply);
  const name = 'info object';
  if (reply.status !== 200 || document === undefined) {
    const found = `${url} answers with status ${reply.status}${reply.type === '' ? '' : ` and ${reply.type}`}`;
    return [
      bad(
        name,
        found,
        'The address given to check must be the one that stands before /api/ and /Scaler, context path included.',
      ),
    ];
  }
  const names = Object.keys(document).sort();
  const expected: readonly string[] = parameterNames;
  const areStrings = Object.values(document).every((value) => typeof value === 'string');
  const isWhole = areStrings && names.join() === expected.join();
  const missing = expected.filter((one) => !names.includes(one));
  const extra = names.filter((one) => !expected.includes(one));
  const differing = [
    ...(missing.length > 0 ? [`without ${missing.join(', ')}`] : []),
    ...(extra.length > 0 ? [`with ${extra.join(', ')}`] : []),
    ...(areStrings ? [] : ['with members that are no strings']),
  ];
  const members = isWhole
    ? good(name, `has exactly its ${expected.length} members`)
    : bad(
        name,
        `${names.length} members, ${differing.join(', ')}`,
        'Another server answers here, or a proxy or cache changes the answer.',
      );
  return [members, baseUrlFinding(url, String(document['base.url'] ?? ''))];
}

function baseUrlFinding(requested: string, named: string): Finding {
  if (named === requested) return good('base.url', named);
  return bad('base.url', `${named} instead of ${requested}`, adviceFor(requested, named));
}

/** The query in base.url, and the status of the answer; no query if there is no info object. */
async function echoed(
  { base, probe }: Checking,
  query: string,
): Promise<{ readonly status: number; readonly query?: string }> {
  const reply = await probe(`${base}${infoPath}?${query}`);
  const named = jsonObject(reply)?.['base.url'];
  const mark = typeof named === 'string' ? named.indexOf('?') : -1;
  return { status: reply.status, ...(typeof named === 'string' && mark >= 0 ? { query: named.slice(mark + 1) } : {}) };
}

/** Whether characters arrive that proxies often decode or encode. */
export async function checkQuery(checking: Checking): Promise<Finding> {
  const name = 'query';
  const query = 'fn=a+b%2Bc%2Fd&x=1;2%3B3%26%25&empty=&y=%C3%A4';
  const { status, query: echoedQuery } = await echoed(checking, query);
  if (echoedQuery === query) return good(name, '+ ; %3B %2F and others arrive as they are sent');
  return bad(
    name,
    echoedQuery === undefined ? `status ${status}` : `${echoedQuery} instead of ${query}`,
    'The proxy changes or refuses signs in the query: pass it on as it came, without rewriting or a filter.',
  );
}

/** Nearly the 8 KiB that Lectern reads, and that nginx and Apache accept by default. */
const longBytes = 8000;

/** Whether long addresses arrive. */
export async function checkLongAddress(checking: Checking): Promise<Finding> {
  const name = 'long addresses';
  const { pathname } = new URL(checking.base + infoPath);
  const query = `fn=${'a'.repeat(longBytes - pathname.length - '?fn='.length)}`;
  const { status, query: echoedQuery } = await echoed(checking, query);
  if (echoedQuery === query) return good(name, `${longBytes.toLocaleString('en')} bytes arrive`);
  return bad(
    name,
    echoedQuery === undefined
      ? `status ${status} for ${longBytes.toLocaleString('en')} bytes`
      : 'a part of the address is lost',
    'Let the proxy take longer addresses: in nginx, large_client_header_buffers 4 16k; in Apache, LimitRequestLine 16380.',
  );
}
