/** The other information endpoints of digilib under `{base_url}/api/` (digilib.md, section 4). */
import type { FastifyPluginCallback, FastifyRequest } from 'fastify';
import { whenAbandoned } from '../../core/http/abandoned-responses.ts';
import { addRoutes } from '../../core/http/add-routes.ts';
import { plainJson } from '../../core/http/negotiation.ts';
import { privateCacheControl } from '../../core/http/representation.ts';
import { sendDocument } from '../../core/http/send.ts';
import { targetOf } from '../../core/http/target.ts';
import { informationPaths } from '../../core/image/addresses/servlets.ts';
import { type WrittenElement, xmlText } from '../../core/parsing/markup.ts';
import { infoXml } from './info-object.ts';
import { contextOf, type InfoObjectParts, imageNamedBy } from './info-object-request.ts';
import { contextXml, type Descriptions, folderInfoJson, folderInfoXml, imageInfo } from './information-endpoints.ts';
import { type ParameterValues, parseQuery } from './parameters.ts';

export interface DigilibApiParts extends InfoObjectParts {
  readonly descriptions: Descriptions;
}

type Describe<T> = (values: ParameterValues, request: FastifyRequest, parts: DigilibApiParts) => Promise<T>;

type DigilibEndpoint =
  | { readonly form: 'json'; readonly describe: Describe<object> }
  | { readonly form: 'xml'; readonly describe: Describe<WrittenElement> };

const ofFolder =
  <T>(format: (folder: Awaited<ReturnType<Descriptions['folder']>>) => T): Describe<T> =>
  async ({ fn, pn, mo }, { raw }, { callers, descriptions }) =>
    format(await descriptions.folder(fn, pn, await callers.callerOf(raw), !mo.has('dir')));

const ofImage =
  <T>(format: (image: Awaited<ReturnType<Descriptions['image']>>) => T): Describe<T> =>
  async ({ fn, pn }, { raw }, { callers, descriptions }) =>
    format(await descriptions.image(fn, pn, await callers.callerOf(raw)));

/** All of them but the info object in JSON, by their names under `/api/`. */
export const digilibEndpoints = {
  'dlInfo-xml.jsp': {
    form: 'xml',
    describe: async (values, { raw, origin }, parts) =>
      infoXml(values, contextOf(raw, origin), await imageNamedBy(values, raw, parts)),
  },
  'ImgInfo-json.jsp': { form: 'json', describe: ofImage(imageInfo) },
  'dlContext-xml.jsp': { form: 'xml', describe: ofImage(contextXml) },
  'dirInfo-json.jsp': { form: 'json', describe: ofFolder(folderInfoJson) },
  'dirInfo-xml.jsp': { form: 'xml', describe: ofFolder(folderInfoXml) },
} as const satisfies Readonly<Record<string, DigilibEndpoint>>;

export type DigilibEndpointName = keyof typeof digilibEndpoints;

export const digilibApiRoutes: FastifyPluginCallback<DigilibApiParts> = (server, parts, done) => {
  const entries: readonly (readonly [string, DigilibEndpoint])[] = Object.entries(digilibEndpoints);
  for (const [name, { form, describe }] of entries) {
    addRoutes(server, informationPaths(name), async (request, reply) => {
      const values = parseQuery(targetOf(request.raw).query);
      const signal = whenAbandoned(request.raw, reply.raw);
      const { documentTurn } = reply.server;
      await documentTurn(signal);
      const document = await describe(values, request, parts);
      // Many requests may have waited for the same folder.
      await documentTurn(signal);
      const text = form === 'json' ? JSON.stringify(document) : xmlText(document as WrittenElement);
      const mediaType = form === 'json' ? plainJson : 'text/xml; charset=utf-8';
      return sendDocument(Buffer.from(text), mediaType, privateCacheControl, request, reply);
    });
  }
  done();
};
