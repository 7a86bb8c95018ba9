/** The addresses for the person on duty: the page, the same as JSON, and the form that holds and releases networks. */
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { addRoutes } from '../../core/http/add-routes.ts';
import type { Callers } from '../../core/http/callers.ts';
import { nothingHere, sendJsonError, sendTextError } from '../../core/http/error-responses.ts';
import { sendPage } from '../../core/http/html.ts';
import { plainJson } from '../../core/http/negotiation.ts';
import { requireOwnOrigin } from '../../core/http/own-origin.ts';
import { targetOf } from '../../core/http/target.ts';
import { takeTextBodies } from '../../core/http/text-bodies.ts';
import { type PageLanguage, pageLanguageOf } from '../../core/http/words.ts';
import { parseLanguages } from '../../core/image/folder/folder-metadata.ts';
import { badRequest } from '../../core/image/model/errors.ts';
import type { ShieldPort } from '../../core/ports.ts';
import { dutyPage, measureIn } from './duty-page.ts';
import { wordIn } from './duty-words.ts';
import type { DutyReport } from './report.ts';
import type { Measure } from './tallies.ts';
import { type WindowSeconds, windowSeconds } from './windows.ts';

export const dutyPaths = { page: '/admin', costs: '/admin/costs.json' } as const;

export interface DutyParts {
  readonly callers: Pick<Callers, 'mayConfigure'>;
  readonly contextPath: string;
  readonly report: (over: WindowSeconds, by: Measure) => DutyReport;
  /** Undefined where the shield is left out. */
  readonly holds: ShieldPort['holds'] | undefined;
  readonly logger: Logger;
}

/** A network is held for so long, in ms. */
const holdMs = 3_600_000;

const windowIn = (text: string | null): WindowSeconds => windowSeconds.find((one) => String(one) === text) ?? 60;

const languageOf = ({ headers }: FastifyRequest): PageLanguage =>
  pageLanguageOf(parseLanguages(headers['accept-language'] ?? ''));

function wishesOf({ raw }: FastifyRequest): { readonly over: WindowSeconds; readonly by: Measure } {
  const query = new URLSearchParams(targetOf(raw).query);
  return { over: windowIn(query.get('over')), by: measureIn(query.get('by')) };
}

function reportFor(request: FastifyRequest, { report }: DutyParts): DutyReport {
  const { over, by } = wishesOf(request);
  return report(over, by);
}

const unstored = (reply: FastifyReply): FastifyReply =>
  reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');

/** Throws what is answered where there is nothing, for all who may not see how the server runs. */
async function requireDuty(request: FastifyRequest, reply: FastifyReply, { callers }: DutyParts): Promise<void> {
  // Scripts of other origins must not read who asks for what.
  reply.removeHeader('access-control-allow-origin');
  if (!(await callers.mayConfigure(request.raw))) throw nothingHere();
}

async function change(request: FastifyRequest, reply: FastifyReply, parts: DutyParts): Promise<FastifyReply> {
  await requireDuty(request, reply, parts);
  const { holds, logger } = parts;
  if (holds === undefined) throw nothingHere();
  requireOwnOrigin(request);
  const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
  const [network, wanted] = [form.get('network')?.trim() ?? '', form.get('do')];
  if (wanted !== 'hold' && wanted !== 'release') throw badRequest('“do” must be “hold” or “release”.');
  const isHold = wanted === 'hold';
  await (isHold ? holds.hold(network, Date.now() + holdMs) : holds.release(network)).catch((error: unknown) => {
    throw error instanceof RangeError ? badRequest(`${error.message}.`) : error;
  });
  logger.warn({ network }, isHold ? 'a network is held for an hour' : 'a network is no longer held');
  unstored(reply);
  const message = wordIn(languageOf(request), isHold ? 'was-held' : 'was-released', { network });
  if (request.headers.accept?.includes('application/json'))
    return reply.type(plainJson).send(JSON.stringify({ message }));
  const { over, by } = wishesOf(request);
  return reply.redirect(`${request.origin}${parts.contextPath}${dutyPaths.page}?over=${over}&by=${by}`, 303);
}

const maxFormBytes = 4096;

export const dutyRoutes: FastifyPluginCallback<DutyParts> = (server, parts, done) => {
  addRoutes(server, [dutyPaths.page], async (request, reply) => {
    await requireDuty(request, reply, parts);
    return sendPage(dutyPage(reportFor(request, parts), languageOf(request)), 'no-store', request, unstored(reply));
  });
  const sendCosts = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    await requireDuty(request, reply, parts);
    return unstored(reply)
      .type(plainJson)
      .send(`${JSON.stringify(reportFor(request, parts), undefined, 2)}\n`);
  };
  addRoutes(server, [dutyPaths.costs], sendCosts, sendTextError);
  takeTextBodies(server, maxFormBytes);
  server.route({
    method: 'POST',
    url: dutyPaths.page,
    config: { acceptsForms: true },
    bodyLimit: maxFormBytes,
    errorHandler: (error, request, reply) =>
      (request.headers.accept?.includes('application/json') ? sendJsonError : sendTextError)(error, request, reply),
    handler: (request, reply) => change(request, reply, parts),
  });
  done();
};
