/** The reading room's page as it is sent: where its addresses begin, what it must know of the server, and what it may load. */
import type { Limits } from '../image/model/limits.ts';
import { escapeHtml } from './html.ts';

/** What the page is told of the server, for the addresses that it makes. */
export interface RoomFacts {
  readonly version: string;
  /** What stands for a slash in the identifiers of IIIF addresses. */
  readonly iiifSlash: string;
  /** The cookie in which the server looks for a login's token. */
  readonly tokenCookie: string;
  /** Bounds of a picture in pixels; null where there is none. */
  readonly maxArea: number | null;
  readonly maxWidth: number | null;
  readonly maxHeight: number | null;
}

/** The facts about a server with these limits. */
export const roomFacts = (
  server: Pick<RoomFacts, 'version' | 'iiifSlash' | 'tokenCookie'>,
  { maxArea, maxWidth, maxHeight }: Limits,
): RoomFacts => ({ ...server, maxArea, maxWidth: maxWidth ?? null, maxHeight: maxHeight ?? maxWidth ?? null });

/** The path at which the addresses of a page begin, as the one who asks sees it; with a slash at its end. */
export const basePathOf = (origin: string, contextPath: string): string =>
  `${origin.replace(/^https?:\/\/[^/]*/, '') + contextPath}/`;

/** Puts into a built page what differs from server to server; its addresses are relative to the base. */
export function roomPage(built: string, basePath: string, facts: RoomFacts): string {
  const base = `<base href="${escapeHtml(basePath)}" />`;
  const meta = `<meta name="lectern" content="${escapeHtml(JSON.stringify(facts))}" />`;
  return built.replace(/<head[^>]*>/, (head) => `${head}\n    ${base}\n    ${meta}`);
}

/** The policy of a page that some pages may show inside of themselves: nothing but what this server sends is loaded. */
export const roomPolicy = (ancestors: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Pictures that the page draws or colors itself have addresses of their own kinds.
    "img-src 'self' blob: data:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    `frame-ancestors ${ancestors.length === 0 ? "'none'" : ancestors.join(' ')}`,
  ].join('; ');
