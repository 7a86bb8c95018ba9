/** The access log: one line for each request that has ended, without tokens, as JSON or in Apache's combined format. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { clientAddressOf, type TrustedProxies } from './origin.ts';
import { arrivalMsOf, requestIdOf } from './request-context.ts';
import { abandonedStatus, kinds, type RequestKind } from './request-metrics.ts';
import { loggableAddress, rawTargetOf } from './target.ts';

type AccessLogFormat = 'json' | 'combined';

/** A request that has ended. */
export interface AccessEntry {
  /** When it arrived, in ms since 1970. */
  readonly atMs: number;
  readonly requestId: string;
  /** The client's address; the proxy's where a trusted one names nobody. */
  readonly client: string;
  readonly method: string;
  /** Without tokens. */
  readonly address: string;
  readonly httpVersion: string;
  /** 499 where the client went away before the end. */
  readonly status: number;
  /** All that was sent, headers included. */
  readonly bytes: number;
  /** From its arrival to the end of its response. */
  readonly ms: number;
  readonly kind: RequestKind;
  /** For pictures: whether they were rendered for this request (`made`) or not (`hit`). */
  readonly cache?: 'hit' | 'made';
  readonly referer?: string;
  readonly userAgent?: string;
}

/** Maximum length of a header's value in the log. */
const maxHeaderLength = 500;

const headerText = (value: string | undefined): string | undefined => value?.slice(0, maxHeaderLength);

const formatJson = ({ atMs, ms, ...entry }: AccessEntry): string =>
  `${JSON.stringify({ time: new Date(atMs).toISOString(), ...entry, ms: Math.round(ms * 10) / 10 })}\n`;

/** The bytes of a text as `\\xhh`; Node decodes headers as Latin-1. */
const escaped = (text: string): string =>
  [...Buffer.from(text, /^[\0-\xff]*$/.test(text) ? 'latin1' : 'utf8')]
    .map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
    .join('');

/** A text between quotes, in which quotes, backslashes and all but the visible characters of ASCII are escaped. */
const quoted = (text: string): string => `"${text.replace(/[^\x20-\x7e]|["\\]/g, escaped)}"`;

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** As Apache writes it, in UTC: `22/Nov/2026:06:41:00 +0000`. */
function formatTime(atMs: number): string {
  const [year = '', month = '', day = '', time = ''] = new Date(atMs).toISOString().split(/[-T.]/);
  return `${day}/${months[Number(month) - 1]}/${year}:${time} +0000`;
}

function formatCombined(entry: AccessEntry): string {
  const { atMs, client, method, address, httpVersion, status, bytes, referer = '-', userAgent = '-' } = entry;
  const request = quoted(`${method} ${address} HTTP/${httpVersion}`);
  return `${client} - - [${formatTime(atMs)}] ${request} ${status} ${bytes} ${quoted(referer)} ${quoted(userAgent)}\n`;
}

export const formatEntry: Readonly<Record<AccessLogFormat, (entry: AccessEntry) => string>> = {
  json: formatJson,
  combined: formatCombined,
};

export interface AccessLog {
  readonly format: AccessLogFormat;
  /** Takes a line with its end; never waits and never throws. */
  write(line: string): void;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const cacheOf = (kind: RequestKind, status: number, { stageMs }: IncomingMessage): AccessEntry['cache'] =>
  kind === 'picture' && status === 200 ? (stageMs?.render === undefined ? 'hit' : 'made') : undefined;

/** Writes a line for each request that the handler answers. */
export function withAccessLog({ format, write }: AccessLog, trusted: () => TrustedProxies, handler: Handler): Handler {
  const toLine = formatEntry[format];
  return (request, response) => {
    const startMs = arrivalMsOf(request);
    const { socket } = request;
    const atMs = Date.now();
    const bytesBefore = socket.bytesWritten;
    const peer = socket.remoteAddress ?? '-';
    const named = clientAddressOf(request, trusted());
    const client = named === 'unknown' ? peer : named;
    request.kindOf = kinds.other;
    response.once('close', () => {
      const status = response.writableFinished ? response.statusCode : abandonedStatus;
      const kind = request.kindOf?.() ?? 'other';
      const cache = cacheOf(kind, status, request);
      const referer = headerText(request.headers.referer && loggableAddress(request.headers.referer));
      const userAgent = headerText(request.headers['user-agent']);
      const entry = {
        atMs,
        requestId: requestIdOf(request, trusted()),
        client,
        method: request.method ?? '',
        address: loggableAddress(rawTargetOf(request)),
        httpVersion: request.httpVersion,
        status,
        bytes: socket.bytesWritten - bytesBefore,
        ms: performance.now() - startMs,
        kind,
        ...(cache && { cache }),
        ...(referer && { referer }),
        ...(userAgent && { userAgent }),
      };
      write(toLine(entry));
    });
    handler(request, response);
  };
}
