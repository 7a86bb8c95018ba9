/** The other information endpoints of digilib under `{base_url}/api/` (digilib.md, section 4). */
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { contextXml } from '../../digilib/context-info.ts';
import { folderInfoJson, folderInfoXml } from '../../digilib/folder-info.ts';
import { imageInfo } from '../../digilib/image-info.ts';
import { infoXml } from '../../digilib/info.ts';
import type { ParameterValues } from '../../digilib/parameters.ts';
import { parseQuery } from '../../digilib/query.ts';
import type { XmlElement } from '../../digilib/xml.ts';
import type { Descriptions } from '../../service/describe.ts';
import { contextOf, type InfoObjectParts, imageNamedBy } from '../info-object.ts';
import { plainJson } from '../negotiation.ts';
import { privateCacheControl } from '../representation.ts';
import { sendDocument } from '../send.ts';
import { informationPaths } from '../servlets.ts';
import { targetOf } from '../target.ts';
import { xmlText } from '../xml.ts';

export interface DigilibApiParts extends InfoObjectParts {
  readonly descriptions: Descriptions;
}

type Describe<T> = (values: ParameterValues, request: FastifyRequest, parts: DigilibApiParts) => Promise<T>;

type DigilibEndpoint =
  | { readonly form: 'json'; readonly describe: Describe<object> }
  | { readonly form: 'xml'; readonly describe: Describe<XmlElement> };

const listFolder = async (
  values: ParameterValues,
  { raw }: FastifyRequest,
  { callers, descriptions }: DigilibApiParts,
) => descriptions.folder(values.fn, values.pn, await callers.callerOf(raw), !values.mo.has('dir'));

const findImage = async (
  values: ParameterValues,
  { raw }: FastifyRequest,
  { callers, descriptions }: DigilibApiParts,
) => descriptions.image(values.fn, values.pn, await callers.callerOf(raw));

/** All of them but the info object in JSON, by their names under `/api/`. */
export const digilibEndpoints = {
  'dlInfo-xml.jsp': {
    form: 'xml',
    describe: async (values, { raw, origin }, parts) =>
      infoXml(values, contextOf(raw, origin), await imageNamedBy(values, raw, parts)),
  },
  'ImgInfo-json.jsp': {
    form: 'json',
    describe: async (...args) => imageInfo(await findImage(...args)),
  },
  'dlContext-xml.jsp': {
    form: 'xml',
    describe: async (...args) => contextXml(await findImage(...args)),
  },
  'dirInfo-json.jsp': {
    form: 'json',
    describe: async (...args) => folderInfoJson(await listFolder(...args)),
  },
  'dirInfo-xml.jsp': {
    form: 'xml',
    describe: async (...args) => folderInfoXml(await listFolder(...args)),
  },
} as const satisfies Readonly<Record<string, DigilibEndpoint>>;

export type DigilibEndpointName = keyof typeof digilibEndpoints;

interface Document {
  readonly mediaType: string;
  readonly text: string;
}

async function documentOf(
  endpoint: DigilibEndpoint,
  request: FastifyRequest,
  parts: DigilibApiParts,
): Promise<Document> {
  const values = parseQuery(targetOf(request.raw).query);
  return endpoint.form === 'json'
    ? { mediaType: plainJson, text: JSON.stringify(await endpoint.describe(values, request, parts)) }
    : { mediaType: 'text/xml; charset=utf-8', text: xmlText(await endpoint.describe(values, request, parts)) };
}

export const digilibApiRoutes: FastifyPluginCallback<DigilibApiParts> = (server, parts, done) => {
  for (const [name, endpoint] of Object.entries(digilibEndpoints)) {
    const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { mediaType, text } = await documentOf(endpoint, request, parts);
      return sendDocument(Buffer.from(text), mediaType, privateCacheControl, request, reply);
    };
    for (const url of informationPaths(name)) server.route({ method: ['GET', 'HEAD'], url, handler });
  }
  done();
};
