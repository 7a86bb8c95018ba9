/** Answers how a picture is made in place of the picture, where the settings allow it and the address asks for it. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Explanation } from '../service/images.ts';
import { plainJson } from './negotiation.ts';
import { targetOf } from './origin.ts';
import type { Service } from './service.ts';

/** Whether the address has `explain=1` in its query, whichever of its forms that has. */
export const wantsExplanation = (request: FastifyRequest, { explain }: Service): boolean =>
  explain && /(?:^|[&;])explain=1(?:$|[&;])/.test(targetOf(request.raw).query);

/** Sends the lines as JSON; they hold for this moment only. */
export const sendExplanation = ({ lines }: Explanation, reply: FastifyReply): FastifyReply =>
  reply
    .header('cache-control', 'no-store')
    .header('content-type', plainJson)
    .send(`${JSON.stringify({ lines }, undefined, 2)}\n`);
