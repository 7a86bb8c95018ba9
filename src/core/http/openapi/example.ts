/** The examples of the API description: an image that the caller may see, and the server's answers about it. */
import type { FastifyRequest } from 'fastify';
import { createDescriptions } from '../../../features/digilib/describe.ts';
import { folderInfoJson, folderInfoXml } from '../../../features/digilib/folder-info.ts';
import { imageInfo } from '../../../features/digilib/image-info.ts';
import { type InfoContext, infoObject, infoXml } from '../../../features/digilib/info.ts';
import { parseQuery } from '../../../features/digilib/query.ts';
import { type IiifMountRules, iiifMounts } from '../../../features/iiif-image/iiif-mounts.ts';
import { imageInformation } from '../../../features/iiif-image/info.ts';
import type { Version } from '../../../features/iiif-image/version.ts';
import type { Admission } from '../../access/admit.ts';
import type { ExampleImage } from '../../folders/example-image.ts';
import { formatIdentifierSegment, parentOf } from '../../image/addresses/iiif-addresses.ts';
import type { Disclosure, FolderList } from '../../image/folder/folder-description.ts';
import type { Limits } from '../../image/model/answer-limits.ts';
import { limitsFor } from '../../image/plan/image-limits.ts';
import type { Ports } from '../../ports.ts';
import { xmlText } from '../../text/markup.ts';
import type { Callers } from '../callers.ts';
import { manifestPath } from '../image-response.ts';
import { exampleQuery } from './query-parameters.ts';
import type { SchemaName } from './schemas.ts';

export interface ExampleParts extends IiifMountRules {
  readonly callers: Callers;
  readonly example: ExampleImage;
  readonly admission: Admission;
  readonly guarded: boolean;
  readonly ports: Pick<Ports, 'roomFiles'>;
  readonly limits: Limits;
  readonly contextPath: string;
  readonly iiifSlash: string;
}

export interface Example {
  readonly image: string;
  /** The path of its folder; a slash for the root. */
  readonly folder: string;
  /** The file name of a script or style sheet of the reading room. */
  readonly part: string;
  /** Answers by the names of their schemas; empty where there is no image. */
  readonly answers: Partial<Readonly<Record<SchemaName, unknown>>>;
}

/** The example for a library without images that the caller may see. */
const nothing = { image: 'herbal/page-001.jpg', folder: 'herbal', answers: {} };

const shownFiles = 3;

const shortened = (answer: Disclosure<FolderList>): Disclosure<FolderList> =>
  answer.kind === 'shown'
    ? { ...answer, value: { ...answer.value, entries: answer.value.entries.slice(0, shownFiles) } }
    : answer;

/** The example for the request's caller. */
export async function exampleFor(request: FastifyRequest, parts: ExampleParts): Promise<Example> {
  const caller = await parts.callers.callerOf(request.raw);
  const path = await parts.example(caller);
  const { example: part = 'index.js' } = parts.ports.roomFiles ?? {};
  if (path === undefined) return { ...nothing, part };
  const { contextPath, limits } = parts;
  const descriptions = createDescriptions(parts.admission, parts.guarded);
  const { origin } = request;
  const described = await descriptions.image(path, 1, caller);
  if (described.kind !== 'shown') return { ...nothing, part };
  const image = described.value;
  const folder = shortened(await descriptions.folder(path, 1, caller, true));
  const query = exampleQuery(path);
  const contextAt = (name: string): InfoContext => ({
    method: 'GET',
    address: `${origin}${contextPath}/api/${name}?${query}`,
    id: '1f0e9d8c',
  });
  const informationOf = (version: Version): object => {
    const prefix = iiifMounts(contextPath, parts).find((mount) => mount.version === version)?.prefix ?? '';
    const id = `${origin}${prefix}/${formatIdentifierSegment(path, parts.iiifSlash)}`;
    return imageInformation[version](image, {
      id,
      limits: limitsFor(image, limits),
      manifest: origin + manifestPath(image, contextPath),
    });
  };
  return {
    image: path,
    folder: parentOf(path) || '/',
    part,
    answers: {
      InfoObject: infoObject(parseQuery(query), contextAt('dlInfo-json.jsp'), image),
      InfoObjectXml: xmlText(infoXml(parseQuery(query), contextAt('dlInfo-xml.jsp'), image)),
      ImageInfo: imageInfo(described),
      FolderInfo: folderInfoJson(folder),
      FolderInfoXml: xmlText(folderInfoXml(folder)),
      ImageInformation1: informationOf(1),
      ImageInformation2: informationOf(2),
      ImageInformation3: informationOf(3),
    },
  };
}
