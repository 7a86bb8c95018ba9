/** What is responded to a query for an admitted image, for Fastify's routes and for the fast path. */
import type { Explanation, ImageAnswer, Images } from '../answers/images.ts';
import type { Limits } from '../image/model/answer-limits.ts';
import type { Admitted, ImageSet } from '../image/model/image-set.ts';
import { limitsFor } from '../image/plan/image-limits.ts';
import type { WithServices } from './access-services.ts';
import { type ImageQuery, type InfoForm, type LinkHeader, linkTo } from './image-queries.ts';

export interface ImageResponseParts {
  readonly images: Images;
  readonly limits: Limits;
  readonly contextPath: string;
  /** Whether folders have manifests, which info.json then names. */
  readonly hasManifests: boolean;
  /** Called where a client is told of an image or of a folder: it will soon request pictures of it. */
  readonly expectPictures: () => void;
}

export interface ImageResponseOptions {
  /** Completes info.json of what not everyone sees whole. */
  readonly withServices?: WithServices | undefined;
  /** The image that info.json describes, where it is not the admitted one. */
  readonly described?: ImageSet | undefined;
}

export type ImageResponse =
  | { readonly kind: 'picture'; readonly answer: ImageAnswer; readonly link?: LinkHeader }
  | { readonly kind: 'explanation'; explain(): Promise<Explanation> }
  | {
      readonly kind: 'info';
      /** The address of the document's JSON-LD context. */
      readonly context: string;
      /** The JSON for a request with this origin. */
      readonly textFor: (origin: string) => string;
      readonly link: LinkHeader;
    }
  /** `path` is that of info.json, without the origin. */
  | { readonly kind: 'redirect'; readonly path: string };

/** Replaced by the origin in a text that is made once for all origins. */
const originMark = '\u0001';

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

function manifestPath(image: ImageSet, contextPath: string): string {
  const folder = image.identifier.segments.slice(0, -1).map((name) => `${encodeURIComponent(name)}/`);
  return `${contextPath}/presentation/3/${folder.join('')}manifest.json`;
}

function informationText(
  path: string,
  form: InfoForm,
  image: ImageSet,
  { limits, contextPath, hasManifests }: ImageResponseParts,
  withServices: WithServices = (document) => document,
): (origin: string) => string {
  const id = originMark + path;
  const manifest = { manifest: originMark + manifestPath(image, contextPath) };
  const document = form.document(image, { id, limits: limitsFor(image, limits), ...(hasManifests && manifest) });
  const pieces = JSON.stringify(withServices(document, form, path), undefined, 2).split(inJson(originMark));
  return (origin) => pieces.join(inJson(origin));
}

/** Throws ImageError where the query can't be met. Renders nothing yet. */
export function respondWithImage(
  query: ImageQuery,
  image: Admitted<ImageSet>,
  parts: ImageResponseParts,
  { withServices, described = image }: ImageResponseOptions = {},
): ImageResponse {
  switch (query.kind) {
    case 'picture': {
      if (query.explain) return { kind: 'explanation', explain: () => parts.images.explain(query.request, image) };
      const answer = parts.images.answer(query.request, image);
      return { kind: 'picture', answer, ...(query.linkOf && { link: query.linkOf(answer) }) };
    }
    case 'info': {
      parts.expectPictures();
      const { form } = query;
      const path = query.iiifPathOf(image);
      const textFor = informationText(path, form, described, parts, withServices);
      return { kind: 'info', context: form.context, textFor, link: linkTo(`${path}/info.json`, form.profile) };
    }
    case 'redirect-to-info':
      return { kind: 'redirect', path: `${query.iiifPathOf(image)}/info.json` };
    case 'invalid':
      throw query.error;
  }
}
