/** Guided views as a file of annotations for other viewers. */
import { keyOfPage, presentationAddresses } from '../../../../src/core/image/addresses/iiif-addresses.ts';
import { splitPage } from '../../../../src/core/image/model/identifier.ts';
import type { Tour, TourStep } from '../../../../src/core/image/tour/tour.ts';
import { type StepTarget, tourCollection } from '../../../../src/core/image/tour/tour-annotations.ts';
import { fetchFolder } from '../../data/fetch.ts';
import { fetchImageFacts } from '../../data/image-info.ts';
import { foreignImage } from '../../data/images.ts';
import { baseAddress, pageSettings } from '../../data/page-settings.ts';
import { language } from '../../messages/messages.ts';
import { isForeign, parseForeignPath } from '../../model/address/address-text.ts';
import { viewRoute } from '../../model/address/routes.ts';
import { stepView } from '../../model/tour/step-view.ts';
import { clipToImage } from '../../model/view/framing.ts';
import { partOnCanvas } from '../../model/view/geometry.ts';
import { addressOfRoute } from '../route.ts';

/** The part of the image that a step shows; a window determines that of a fixed scale. */
function partOf(step: TourStep) {
  const { region, mode } = stepView(step);
  return clipToImage(mode === 'fit' ? region : { x: 0, y: 0, width: 1, height: 1 });
}

function foreignTarget(step: TourStep): Omit<StepTarget, 'address'> | undefined {
  const named = parseForeignPath(step.page);
  if (named === undefined) return undefined;
  const page = foreignImage(step.page)?.page;
  const part = page === undefined ? partOf(step) : partOnCanvas(partOf(step), page.place);
  return { canvas: page?.canvasId ?? named.canvas, manifest: named.manifest, size: page?.canvas, part };
}

/** The folder and the name of the file of a page, which guided views may name without its extension. */
async function fileOf(path: string): Promise<{ readonly folder: string; readonly file: string } | undefined> {
  const answer = await fetchFolder(path, language.peek());
  if (!answer.ok || answer.value.at === null) return undefined;
  const { at, from, images, path: folder } = answer.value;
  const card = images[at - from];
  return card && { folder, file: card.name };
}

async function ownTarget(step: TourStep): Promise<Omit<StepTarget, 'address'> | undefined> {
  const { file: path, page } = splitPage(step.page);
  const [found, facts] = await Promise.all([fileOf(path), fetchImageFacts(step.page)]);
  if (found === undefined || !facts.ok) return undefined;
  const addresses = presentationAddresses(`${baseAddress()}presentation/3`, found.folder, pageSettings.iiifSlash);
  const { width, height } = facts.value;
  const canvas = addresses.part('canvas', keyOfPage(found.file, page));
  return { canvas, manifest: addresses.manifest, size: { width, height }, part: partOf(step) };
}

/** A collection of annotations, and how many steps it lacks since their pages can't be found. */
export async function annotationsOf(tour: Tour): Promise<{ readonly json: object; readonly missing: number }> {
  const steps: TourStep[] = [];
  const targets: StepTarget[] = [];
  for (const step of tour.steps) {
    const target = isForeign(step.page) ? foreignTarget(step) : await ownTarget(step);
    if (target === undefined) continue;
    steps.push(step);
    targets.push({ ...target, address: addressOfRoute(viewRoute(stepView(step))) });
  }
  // The file can lie anywhere, so that the names of what is in it are no addresses.
  const id = `urn:uuid:${uuid()}`;
  const json = tourCollection({ ...tour, steps }, targets, { page: `${id}#page`, collection: id });
  return { json, missing: tour.steps.length - steps.length };
}

/** RFC 9562, section 5.4; `randomUUID` exists in secure contexts alone. */
function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
