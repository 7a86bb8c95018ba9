/** The other information endpoints of digilib under `{base_url}/api/` (digilib.md, section 4). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contextXml } from '../../digilib/context-info.ts';
import { folderInfoJson, folderInfoXml } from '../../digilib/folder-info.ts';
import { imageInfo } from '../../digilib/image-info.ts';
import { infoXml } from '../../digilib/info.ts';
import { type ParameterValues, settableNames } from '../../digilib/parameters.ts';
import { parseQuery } from '../../digilib/query.ts';
import type { XmlElement } from '../../digilib/xml.ts';
import { plainJson } from '../negotiation.ts';
import type { QueryParameterName } from '../openapi/query-parameters.ts';
import type { SchemaName } from '../openapi/schemas.ts';
import { targetOf } from '../origin.ts';
import { sendDocument } from '../send-document.ts';
import type { Service } from '../service.ts';
import { informationPaths } from '../servlets.ts';
import { xmlText } from '../xml.ts';
import { contextOf, imageNamedBy } from './info-object.ts';

/** Answers for the values of a query. */
type Ask<T> = (values: ParameterValues, request: FastifyRequest, service: Service) => Promise<T>;

/** How an endpoint answers, and what the API description says of it. */
export type DigilibEndpoint = {
  readonly summary: string;
  /** What it takes, where that is more or less than the name of an image. */
  readonly parameters?: readonly QueryParameterName[];
  /** The schema of its answer in src/http/openapi, where it has one. */
  readonly schema?: SchemaName;
} & (
  | { readonly form: 'json'; readonly answer: Ask<object> }
  | { readonly form: 'xml'; readonly answer: Ask<XmlElement> }
);

const listFolder = async (values: ParameterValues, { raw }: FastifyRequest, { callers, descriptions }: Service) =>
  descriptions.folder(values.fn, values.pn, await callers.callerOf(raw), !values.mo.has('dir'));

const findImage = async (values: ParameterValues, { raw }: FastifyRequest, { callers, descriptions }: Service) =>
  descriptions.image(values.fn, values.pn, await callers.callerOf(raw));

/** All of them but the info object in JSON, by their names under `/api/`. */
export const digilibEndpoints: Readonly<Record<string, DigilibEndpoint>> = {
  'dlInfo-xml.jsp': {
    form: 'xml',
    summary: 'The info object as XML',
    parameters: settableNames,
    schema: 'InfoObjectXml',
    answer: async (values, { raw, origin }, service) =>
      infoXml(values, contextOf(raw, origin), await imageNamedBy(values, raw, service)),
  },
  'ImgInfo-json.jsp': {
    form: 'json',
    summary: 'Name, size and resolution of an image; {} where there is none',
    schema: 'ImageInfo',
    answer: async (...asked) => imageInfo(await findImage(...asked)),
  },
  'dlContext-xml.jsp': {
    form: 'xml',
    summary: 'What metadata files say of the context of an image',
    answer: async (...asked) => contextXml(await findImage(...asked)),
  },
  'dirInfo-json.jsp': {
    form: 'json',
    summary: 'The image files of a folder; {} where there is none',
    parameters: ['fn', 'pn', 'mo.dir', 'id_token'],
    schema: 'FolderInfo',
    answer: async (...asked) => folderInfoJson(await listFolder(...asked)),
  },
  'dirInfo-xml.jsp': {
    form: 'xml',
    summary: 'The image files of a folder as XML',
    parameters: ['fn', 'pn', 'mo.dir', 'id_token'],
    schema: 'FolderInfoXml',
    answer: async (...asked) => folderInfoXml(await listFolder(...asked)),
  },
};

interface Document {
  readonly mediaType: string;
  readonly text: string;
}

async function documentOf(endpoint: DigilibEndpoint, request: FastifyRequest, service: Service): Promise<Document> {
  const values = parseQuery(targetOf(request.raw).query);
  return endpoint.form === 'json'
    ? {
        mediaType: plainJson,
        text: JSON.stringify(await endpoint.answer(values, request, service)),
      }
    : { mediaType: 'text/xml; charset=utf-8', text: xmlText(await endpoint.answer(values, request, service)) };
}

/** Adds the routes. */
export function digilibApiRoutes(server: FastifyInstance, base: string, service: Service): void {
  for (const [name, endpoint] of Object.entries(digilibEndpoints)) {
    const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { mediaType, text } = await documentOf(endpoint, request, service);
      return sendDocument(Buffer.from(text), mediaType, 'private, no-cache', request, reply);
    };
    for (const path of informationPaths(name)) {
      server.route({ method: ['GET', 'HEAD'], url: `${base}${path}`, handler });
    }
  }
}
