/**
 * `GET {base_url}/tours/{folder}/{name}.tour.json`: guided views beside scans, as far as the caller may see them; with
 * `.annotations.json` as a page, with `.collection.json` as a collection of annotations in place of `.tour.json`.
 */
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { Admission } from '../../core/access/admit.ts';
import { addRoutes } from '../../core/http/add-routes.ts';
import type { Callers } from '../../core/http/callers.ts';
import { plainJson } from '../../core/http/negotiation.ts';
import { privateCacheControl } from '../../core/http/representation.ts';
import { retryWhileReplaced, sendDocument } from '../../core/http/send.ts';
import { pathBehind, segmentsOf, targetOf } from '../../core/http/target.ts';
import { encodePath } from '../../core/image/addresses/folder-address.ts';
import { decodeSegment, keyOfPage, presentationAddresses } from '../../core/image/addresses/iiif-addresses.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import { highest } from '../../core/image/model/image-set.ts';
import { formatTour, partOfView, tourEnding } from '../../core/image/tour/tour.ts';
import { type StepTarget, tourCollection, tourPage } from '../../core/image/tour/tour-annotations.ts';
import type { SeenStep, SeenTour, ToursOfFolders } from './tour-files.ts';

export const toursPath = '/tours';

export interface TourRoutesParts {
  readonly admission: Pick<Admission, 'admitFolder'>;
  readonly callers: Callers;
  readonly contextPath: string;
  readonly iiifSlash: string;
  /** Whether there are rules of access, so that answers differ from caller to caller. */
  readonly guarded: boolean;
  /** The `Cache-Control` of what everyone may see. */
  readonly cacheControl: string;
  readonly tours: ToursOfFolders;
}

const endings = { tour: tourEnding, page: '.annotations.json', collection: '.collection.json' } as const;

type Form = keyof typeof endings;

const forms = Object.keys(endings) as readonly Form[];

const notFound = (): ImageError => new ImageError('not-found', 'There are no guided views at this address.');

interface Asked {
  readonly folder: string;
  /** The name of the file without its ending. */
  readonly stem: string;
  readonly form: Form;
}

function parseAddress(rawPath: string): Asked | undefined {
  const path = decodeSegment(rawPath);
  const form = forms.find((one) => path?.endsWith(endings[one]));
  if (path === undefined || form === undefined) return undefined;
  const names = path.slice(0, -endings[form].length).split('/');
  const stem = names.pop() ?? '';
  return stem === '' ? undefined : { folder: names.join('/'), stem, form };
}

const whole = { x: 0, y: 0, width: 1, height: 1 };

/** A page of another host by its manifest and its canvas, as the reading room names it. */
function outsideOf(page: string): { readonly manifest: string; readonly canvas: string } {
  const [manifest = '', canvas = ''] = page
    .replace('//manifest/', '')
    .split('/')
    .map((part) => decodeSegment(part));
  return { manifest, canvas };
}

function targetOfStep({ step, image }: SeenStep, base: string, slash: string): StepTarget {
  const part = partOfView(step.view) ?? whole;
  if (image === undefined) return { ...outsideOf(step.page), size: undefined, part, address: undefined };
  const folder = image.identifier.segments.slice(0, -1).join('/');
  const addresses = presentationAddresses(`${base}/presentation/3`, folder, slash);
  const query = step.view === '' ? '' : `?${step.view}`;
  return {
    canvas: addresses.part('canvas', keyOfPage(image.name, image.page)),
    manifest: addresses.manifest,
    size: highest(image),
    part,
    address: `${base}/view/${encodePath(step.page)}${query}`,
  };
}

function written({ tour, steps }: SeenTour, { folder, stem, form }: Asked, base: string, slash: string): object {
  if (form === 'tour') return formatTour(tour, folder);
  const below = `${base}${toursPath}/${encodePath(`${folder}/${stem}`)}`;
  const addresses = { page: below + endings.page, collection: below + endings.collection };
  const targets = steps.map((step) => targetOfStep(step, base, slash));
  return (form === 'page' ? tourPage : tourCollection)(tour, targets, addresses);
}

async function serve(parts: TourRoutesParts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const asked = parseAddress(pathBehind(targetOf(request.raw).path, segmentsOf(parts.contextPath + toursPath)));
  if (asked === undefined) throw notFound();
  const caller = await parts.callers.callerOf(request.raw);
  const folder = await parts.admission.admitFolder(asked.folder, caller);
  const seen = await parts.tours.seen(folder, asked.stem + tourEnding, caller);
  if (seen === undefined) throw notFound();
  const body = Buffer.from(
    JSON.stringify(written(seen, asked, `${request.origin}${parts.contextPath}`, parts.iiifSlash)),
  );
  return sendDocument(body, plainJson, parts.guarded ? privateCacheControl : parts.cacheControl, request, reply);
}

export const tourRoutes: FastifyPluginCallback<TourRoutesParts> = (server, parts, done) => {
  addRoutes(server, [`${toursPath}/*`], (request, reply) => retryWhileReplaced(() => serve(parts, request, reply)));
  done();
};
