/** The other information endpoints of digilib under `{base_url}/api/` (digilib.md, section 4). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contextXml } from '../../digilib/context-info.ts';
import { folderInfoJson, folderInfoXml } from '../../digilib/folder-info.ts';
import { imageInfo } from '../../digilib/image-info.ts';
import { infoXml } from '../../digilib/info.ts';
import type { ParameterValues } from '../../digilib/parameters.ts';
import { parseQuery } from '../../digilib/query.ts';
import type { XmlElement } from '../../digilib/xml.ts';
import { targetOf } from '../origin.ts';
import { sendDocument } from '../send-document.ts';
import type { Service } from '../service.ts';
import { xmlText } from '../xml.ts';
import { contextOf, imageNamedBy } from './info-object.ts';

interface Document {
  readonly mediaType: string;
  readonly text: string;
}

const json = (value: object): Document => ({
  mediaType: 'application/json; charset=utf-8',
  text: JSON.stringify(value),
});

const xml = (root: XmlElement): Document => ({ mediaType: 'text/xml; charset=utf-8', text: xmlText(root) });

/** Answers one endpoint for the values of its query. */
type Endpoint = (values: ParameterValues, request: FastifyRequest, service: Service) => Promise<Document>;

const listFolder = async (values: ParameterValues, { raw }: FastifyRequest, { callers, descriptions }: Service) =>
  descriptions.folder(values.fn, values.pn, await callers.callerOf(raw), !values.mo.has('dir'));

const findImage = async (values: ParameterValues, { raw }: FastifyRequest, { callers, descriptions }: Service) =>
  descriptions.image(values.fn, values.pn, await callers.callerOf(raw));

const endpoints: Readonly<Record<string, Endpoint>> = {
  'dlInfo-xml.jsp': async (values, { raw, origin }, service) =>
    xml(infoXml(values, contextOf(raw, origin), await imageNamedBy(values, raw, service))),
  'ImgInfo-json.jsp': async (values, request, service) => json(imageInfo(await findImage(values, request, service))),
  'dlContext-xml.jsp': async (values, request, service) => xml(contextXml(await findImage(values, request, service))),
  'dirInfo-json.jsp': async (values, request, service) =>
    json(folderInfoJson(await listFolder(values, request, service))),
  'dirInfo-xml.jsp': async (values, request, service) => xml(folderInfoXml(await listFolder(values, request, service))),
};

/** Adds the routes. */
export function digilibApiRoutes(server: FastifyInstance, base: string, service: Service): void {
  for (const [name, endpoint] of Object.entries(endpoints)) {
    server.route({
      method: ['GET', 'HEAD'],
      url: `${base}/api/${name}`,
      async handler(request, reply): Promise<FastifyReply> {
        const { mediaType, text } = await endpoint(parseQuery(targetOf(request.raw).query), request, service);
        return sendDocument(Buffer.from(text), mediaType, 'private, no-cache', request, reply);
      },
    });
  }
}
