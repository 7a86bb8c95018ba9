/** Reads the requests of a web server's access log: Apache, nginx, Tomcat, or a plain list of addresses. */
import { percentDecoded } from '../../core/text/parse.ts';

export type LogLine =
  | { readonly kind: 'request'; readonly method: 'GET' | 'HEAD'; readonly target: string }
  | { readonly kind: 'other-method' }
  | { readonly kind: 'blank' }
  | { readonly kind: 'no-request' };

/** The request line stands in quotes, in which Apache and nginx escape quotes and odd bytes with a backslash. */
const quotedRequest = /"([A-Z]{3,20}) ((?:[^"\\]|\\.)+?)(?: HTTP\/\d(?:\.\d)?)?"/;

const plainRequest = /^(?:([A-Z]{3,20})\s+)?((?:https?:\/\/|\/)\S*)(?:\s+HTTP\/\d(?:\.\d)?)?$/i;

const origin = /^https?:\/\/[^/?#]*/i;

const percent = (byte: string): string => `%${byte.toUpperCase()}`;

/** Undoes the log's escapes; characters that addresses can't hold are percent-encoded, so that a target is plain ASCII. */
function targetOf(logged: string): string {
  const unescaped = logged
    .replace(/\\x([0-9A-Fa-f]{2})/g, (_, byte: string) => percent(byte))
    .replace(/\\([tnrbvf])/g, (_, letter: string) =>
      percent({ t: '09', n: '0a', r: '0d', b: '08', v: '0b', f: '0c' }[letter] ?? '20'),
    )
    .replace(/\\(.)/g, '$1');
  const relative = unescaped.replace(origin, '').replace(/#.*$/s, '');
  const ascii = relative.replace(/[^\x21-\x7e]/g, (byte) => percent(byte.charCodeAt(0).toString(16).padStart(2, '0')));
  return ascii.startsWith('/') ? ascii : `/${ascii}`;
}

/** Reads one line, in which each character stands for a byte. */
export function parseLogLine(line: string): LogLine {
  const text = line.trim();
  if (text === '' || text.startsWith('#')) return { kind: 'blank' };
  const found = plainRequest.exec(text) ?? quotedRequest.exec(text);
  const [, method = 'GET', logged] = found ?? [];
  if (logged === undefined || (!logged.startsWith('/') && !origin.test(logged))) return { kind: 'no-request' };
  const upper = method.toUpperCase();
  if (upper !== 'GET' && upper !== 'HEAD') return { kind: 'other-method' };
  return { kind: 'request', method: upper, target: targetOf(logged) };
}

const isToken = (pair: string): boolean => {
  const [name = ''] = pair.split('=', 1);
  return percentDecoded(name.replaceAll('+', ' '))?.trim().toLowerCase() === 'id_token';
};

/** The query without its `id_token`. The separators stay, so that all other pairs are sent as they were. */
function queryWithoutToken(query: string): string {
  const pairs = query.match(/[^&;]+(?:&amp;|[&;])*|[&;]+/g) ?? [];
  const others = pairs.filter((pair) => !isToken(pair));
  return others.length === pairs.length ? query : others.join('').replace(/(?:&amp;|[&;])$/, '');
}

/** The target without login token and session: both are private, and are neither sent nor printed. */
export function withoutToken(target: string): string {
  const mark = target.indexOf('?');
  const path = (mark < 0 ? target : target.slice(0, mark)).replace(/;jsessionid=[^/;]*/gi, '');
  if (mark < 0) return path;
  const query = queryWithoutToken(target.slice(mark + 1));
  return query === '' && mark < target.length - 1 ? path : `${path}?${query}`;
}

/** The part of a target that follows the context path, such as `/Scaler?fn=…`; undefined for a target elsewhere. */
export function behindContext(target: string, contextPath: string): string | undefined {
  if (!target.startsWith(contextPath)) return undefined;
  const rest = target.slice(contextPath.length);
  if (rest !== '' && !rest.startsWith('/') && !rest.startsWith('?')) return undefined;
  // Dot segments are resolved before a request is sent, and could lead out of the application.
  const { pathname } = new URL(`http://host${contextPath}${rest}`);
  return pathname === contextPath || pathname.startsWith(`${contextPath}/`) ? rest : undefined;
}
