/** The template of the server's own pages: their style, and a policy by which they load nothing else. */
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { escapeHtml } from '../parsing/markup.ts';
import { sendRepresentation } from './send.ts';

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M4 8 L28 4 V18 L4 22 Z" fill="#7a3b1d"/><path d="M16 20 V27 M9 28 H23" stroke="#7a3b1d" stroke-width="3" stroke-linecap="round"/></svg>',
)}`;

const baseStyle = `
:root { color-scheme: light dark; --paper: #fbf9f4; --ink: #25221c; --soft: #6d665a; --line: #e3ddd0; --card: #fff; --accent: #7a3b1d; }
@media (prefers-color-scheme: dark) { :root { --paper: #1b1a18; --ink: #ece7dc; --soft: #a39b8b; --line: #38352f; --card: #24221f; --accent: #e0a37f; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; }
main { max-width: 66rem; margin: 0 auto; padding: 2.5rem 1.5rem 4rem; }
main::before { content: ""; display: block; width: 1.75rem; height: 1.75rem; margin-bottom: 1.5rem; background: var(--accent); mask: url("${icon}") center / contain no-repeat; }
h1, h2 { font-family: "Iowan Old Style", "Palatino Linotype", Georgia, serif; font-weight: 400; line-height: 1.15; text-wrap: balance; }
h1 { font-size: clamp(1.9rem, 1.3rem + 2.2vw, 3.1rem); margin: 0 0 .5rem; }
h2 { font-size: 1.6rem; margin: 2.8rem 0 1rem; }
p.lead { color: var(--soft); font-size: 1.1rem; max-width: 44rem; margin: 0; }
a { color: var(--accent); }
code { font: .9rem/1.4 ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

export interface PageParts {
  readonly title: string;
  /** HTML inside of `main`. */
  readonly body: string;
  /** CSS of this page beside that of all pages. */
  readonly style: string;
  /** BCP 47; English by default. */
  readonly language?: string;
  /** Whether it has a form that is sent to this server. */
  readonly hasForm?: boolean;
  /** Its only script, which may request addresses of this server. */
  readonly script?: string;
  /** Whether pages of all sites may show it in a frame. */
  readonly isEmbeddable?: boolean;
  /** What its script reads as JSON, in `data-facts` of the body. */
  readonly facts?: unknown;
}

export interface Page {
  readonly html: string;
  /** The value of `Content-Security-Policy`: nothing but the page's own style and the server's pictures. */
  readonly policy: string;
}

export function page({
  title,
  body,
  style,
  language = 'en',
  hasForm = false,
  script,
  isEmbeddable = false,
  facts,
}: PageParts): Page {
  const styles = baseStyle + style;
  const policy = [
    "default-src 'none'",
    "img-src 'self' data:",
    `style-src ${hashOf(styles)}`,
    `script-src ${script === undefined ? "'none'" : hashOf(script)}`,
    ...(script === undefined ? [] : ["connect-src 'self'"]),
    "base-uri 'none'",
    `form-action ${hasForm ? "'self'" : "'none'"}`,
    `frame-ancestors ${isEmbeddable ? '*' : "'self'"}`,
  ].join('; ');
  const html = `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${icon}">
<style>${styles}</style>
</head>
<body${facts === undefined ? '' : ` data-facts="${escapeHtml(JSON.stringify(facts))}"`}>
<main>
${body}
</main>${script === undefined ? '' : `\n<script>${script}</script>`}
</body>
</html>
`;
  return { html, policy };
}

export const sendPage = (
  { html, policy }: Page,
  cacheControl: string,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply =>
  sendRepresentation(
    { mediaType: 'text/html; charset=utf-8', cacheControl, contentSecurityPolicy: policy },
    html,
    request,
    reply,
  );
