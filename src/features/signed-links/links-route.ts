/** `POST {base_url}/api/links`: those who run the site make a link of what they may see themselves. */
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Callers } from '../../core/http/callers.ts';
import { sendJsonError } from '../../core/http/error-responses.ts';
import { plainJson } from '../../core/http/negotiation.ts';
import { requireOwnJson } from '../../core/http/own-origin.ts';
import { takeTextBodies } from '../../core/http/text-bodies.ts';
import { badRequest, ImageError } from '../../core/image/model/errors.ts';
import { parseJson } from '../../core/parsing/parse.ts';
import { keyNameForm } from './link-keys.ts';
import { type LinkMakerParts, type MadeLink, makeLink } from './make-link.ts';

export const linksPath = '/api/links';

export interface LinksRouteParts extends LinkMakerParts {
  readonly callers: Callers;
  readonly contextPath: string;
}

export const recipientForm = /^[^\p{Cc}]{1,200}$/u;

const linkRequest = z.strictObject({
  subject: z.string().max(4000),
  until: z.string().max(40),
  tier: z.string().max(40).optional(),
  for: z.string().regex(recipientForm).optional(),
  original: z.boolean().optional(),
  once: z.boolean().optional(),
  key: z.string().regex(keyNameForm).optional(),
});

/** What is told of a new link, on the page and the command line alike. */
export function describeLink({ link, address }: MadeLink, base: string): object {
  const { id, key, untilMs, tier, recipient, isOnce } = link;
  return {
    address: base + address,
    ...{ id, key },
    until: new Date(untilMs).toISOString(),
    ...(tier !== undefined && { tier }),
    ...(recipient !== undefined && { for: recipient }),
    ...(isOnce && { once: true }),
  };
}

async function make(request: FastifyRequest, reply: FastifyReply, parts: LinksRouteParts): Promise<FastifyReply> {
  requireOwnJson(request, 'Links are made by pages of this server, or by programs, with JSON alone.');
  if (!(await parts.callers.mayConfigure(request.raw)))
    throw new ImageError('denied', 'Links are made by those who have the role admin.');
  const { data, error } = linkRequest.safeParse(typeof request.body === 'string' ? parseJson(request.body) : undefined);
  if (data === undefined) throw badRequest(`The link can’t be read: ${z.prettifyError(error)}`);
  const base = `${request.origin}${parts.contextPath}/`;
  const made = await makeLink(data, await parts.callers.callerOf(request.raw), [base, `${parts.contextPath}/`], parts);
  return reply
    .code(201)
    .header('cache-control', 'no-store')
    .type(plainJson)
    .send(JSON.stringify(describeLink(made, base)));
}

const maxBytes = 16 * 1024;

export const linksRoute: FastifyPluginCallback<LinksRouteParts> = (server, parts, done) => {
  takeTextBodies(server, maxBytes);
  server.route({
    method: 'POST',
    url: linksPath,
    config: { acceptsForms: true },
    bodyLimit: maxBytes,
    errorHandler: sendJsonError,
    handler: (request, reply) => make(request, reply, parts),
  });
  done();
};
