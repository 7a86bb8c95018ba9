/** What a link in an address means for all routes: why it does not count, its cookie for pages, and answers that nobody else gets. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { beginErrorPage } from '../../core/http/error-responses.ts';
import { type Page, page, sendPage } from '../../core/http/html.ts';
import { privateCacheControl } from '../../core/http/representation.ts';
import { targetOf } from '../../core/http/target.ts';
import { type PageLanguage, pageLanguageOf } from '../../core/http/words.ts';
import { parseLanguages } from '../../core/image/folder/folder-metadata.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import { escapeHtml } from '../../core/parsing/markup.ts';
import { addressWithoutLink, isTaken, type SentLink, type SentLinks } from './sent-links.ts';
import type { UsedLinks } from './used-links.ts';

interface HookParts {
  readonly sent: SentLinks;
  /** Undefined where the use of links can't be noted: then those that count once do not count. */
  readonly used: UsedLinks | undefined;
  readonly contextPath: string;
}

const usedSentence = 'This link could be used once, and was.';

/** Nothing of an answer that a link has opened is kept by others, or told to them. */
function keepToItself(reply: FastifyReply): void {
  const cacheControl = String(reply.getHeader('cache-control') ?? '');
  if (!/private|no-store/.test(cacheControl)) reply.header('cache-control', privateCacheControl);
  reply.header('referrer-policy', 'no-referrer').header('x-robots-tag', 'noindex, nofollow');
}

const words = {
  title: { en: 'Your file', de: 'Ihre Datei', fr: 'Votre fichier' },
  lead: {
    en: 'This link can be used once. After that it is closed, also where a download breaks off.',
    de: 'Dieser Link gilt einmal. Danach ist er geschlossen, auch wenn das Herunterladen abbricht.',
    fr: 'Ce lien ne sert qu’une fois. Ensuite, il est fermé, même si le téléchargement s’interrompt.',
  },
  button: { en: 'Use it now', de: 'Jetzt verwenden', fr: 'L’utiliser maintenant' },
} as const satisfies Readonly<Record<string, Readonly<Record<PageLanguage, string>>>>;

const style = `
main { max-width: 32rem; padding-top: 14vh; }
button { font: inherit; font-weight: 600; margin-top: 1.8rem; padding: .7rem 1.2rem; border-radius: .4rem; border: 1px solid var(--accent); background: var(--accent); color: var(--paper); cursor: pointer; }
`;

/** Programs that look at the links of mails must not use one up, so that a reader has to say so. */
function oncePage(query: string, language: PageLanguage): Page {
  const word = (key: keyof typeof words): string => escapeHtml(words[key][language]);
  const fields = [...new URLSearchParams(query)].map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  const body = `<h1>${word('title')}</h1>
<p class="lead">${word('lead')}</p>
<form method="get">
${fields.join('\n')}
<button name="take" value="1">${word('button')}</button>
</form>`;
  return page({ title: `${words.title[language]} – Lectern`, body, style, language, hasForm: true });
}

const isBrowser = ({ headers }: FastifyRequest): boolean => (headers.accept ?? '').includes('text/html');

async function counting<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw new ImageError('store-late', 'Whether this link was used can’t be told at the moment; try it again later.', {
      cause,
    });
  }
}

/** Notes the use of a link before anything is sent; what comes to nothing is no use. */
async function useOnce({ link }: SentLink, used: UsedLinks, { raw, method }: FastifyRequest, reply: FastifyReply) {
  if (method === 'HEAD') {
    if (await counting(used.isUsed(link.id))) throw new ImageError('link-over', usedSentence);
    return;
  }
  if (!(await counting(used.use(link.id, link.untilMs)))) throw new ImageError('link-over', usedSentence);
  // A part of the file would use it up.
  delete raw.headers.range;
  reply.raw.once('close', () => {
    const { headersSent, statusCode } = reply.raw;
    if (!headersSent || statusCode >= 300) void used.release(link.id).catch(() => undefined);
  });
}

async function answerOnce(
  sent: SentLink,
  { used }: HookParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  if (used === undefined) throw new ImageError('denied', 'Links that can be used once are not accepted here.');
  if (request.method === 'GET' && isBrowser(request) && !isTaken(request.raw)) {
    if (await counting(used.isUsed(sent.link.id))) throw new ImageError('link-over', usedSentence);
    const language = pageLanguageOf(parseLanguages(request.headers['accept-language'] ?? ''));
    keepToItself(reply);
    return sendPage(oncePage(targetOf(request.raw).query, language), 'no-store', request, reply);
  }
  await useOnce(sent, used, request, reply);
  return undefined;
}

/** Leads a reader to the page without the link, which a cookie opens from then on with all that the page loads. */
async function openPage(
  link: SentLink,
  { sent, contextPath }: HookParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const cookie = await sent.cookieWith(request.raw, link, request.origin);
  const address = addressWithoutLink(request.raw, contextPath);
  return reply
    .header('set-cookie', cookie)
    .header('cache-control', 'no-store')
    .redirect(`${request.origin}${contextPath}/${address}`, 303);
}

async function answerLink(
  parts: HookParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const link = await parts.sent.inAddress(request.raw);
  if (link === undefined || request.method === 'POST') return undefined;
  if (link.link.isOnce) return answerOnce(link, parts, request, reply);
  const isPage = link.link.address === undefined && request.routeOptions.config.kind === 'page';
  return isPage ? openPage(link, parts, request, reply) : undefined;
}

/** Why a link does not count, for a reader who has opened it in a browser: also where the address is that of a picture. */
function sendFault(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const message = beginErrorPage(error, request, reply);
  const body = `<h1>This can’t be shown</h1>\n<p class="lead">${escapeHtml(message)}</p>`;
  return sendPage(page({ title: 'Error – Lectern', body, style }), 'no-store', request, reply);
}

export function addLinkHooks(server: FastifyInstance, parts: HookParts): void {
  server.addHook('onRequest', async (request, reply) => {
    try {
      return await answerLink(parts, request, reply);
    } catch (error) {
      if (!isBrowser(request)) throw error;
      return sendFault(error, request, reply);
    }
  });
  server.addHook('onSend', async (request, reply) => {
    if (parts.sent.isInAddress(request.raw) || parts.sent.of(request.raw).length > 0) keepToItself(reply);
  });
}
