/** The maps that the library, or the manifest of another host, gives for the open image: loaded while the map is shown. */
import { computed, type ReadonlySignal, signal, untracked } from '@preact/signals';
import { keyOfPage, presentationAddresses } from '../../../../src/core/image/addresses/iiif-addresses.ts';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { fetchJson, type Problem } from '../../data/fetch.ts';
import { fetchForeignJson } from '../../data/foreign-hosts.ts';
import { foreignImage } from '../../data/images.ts';
import { pageSettings } from '../../data/page-settings.ts';
import type { AnnotationSource } from '../../model/manifest/annotation-sources.ts';
import { type GeoFrame, type GeoMap, readGeoreferences } from '../../model/map/georeference.ts';
import type { StageImage } from '../../stage/layer-drawing.ts';
import { followRequests, type Opened, openedNow } from '../opened.ts';
import { stageImage } from '../stage-images.ts';
import { openPoints } from './own-points.ts';

export interface GivenMaps {
  /** The image that they are of; undefined while it is loading. */
  readonly image: StageImage | undefined;
  readonly maps: readonly GeoMap[];
  readonly isLoading: boolean;
  readonly problem: Problem | undefined;
}

const nothing: GivenMaps = { image: undefined, maps: [], isLoading: true, problem: undefined };

const loaded = signal<GivenMaps>(nothing);

export const given: ReadonlySignal<GivenMaps> = loaded;

/** Pages of annotations that are asked for. */
const mostSources = 20;

/** How coordinates of annotations reach the pixels of an image. With `all`, of those that name another one, too. */
export function geoFrameOf({ path }: Opened, image: Size, which: 'ours' | 'all' = 'ours'): GeoFrame {
  const page = foreignImage(path)?.page;
  if (page === undefined) return { image, canvas: undefined, ids: [] };
  const canvas = page.canvas && { size: page.canvas, place: page.place };
  const ids = [page.canvasId, page.image?.service?.id, page.image?.address];
  return { image, canvas, ids: which === 'all' ? [] : ids.filter((id) => id !== undefined) };
}

/** The pages of annotations that may have a map: of the library, those beside the image; of other hosts, all that the canvas names. */
function sourcesOf({ path, folder, card, inner }: Opened): readonly AnnotationSource[] {
  const page = foreignImage(path)?.page;
  if (page !== undefined) return page.annotations.slice(0, mostSources);
  const { part } = presentationAddresses('presentation/3', folder.path, pageSettings.iiifSlash);
  const key = keyOfPage(card.name, inner);
  return card.mapped?.includes(inner) ? [part('georef', key)] : [];
}

async function load(opened: Opened, abort: AbortSignal): Promise<void> {
  const image = await stageImage(opened.path);
  if (abort.aborted) return;
  if (image === undefined) {
    loaded.value = { ...nothing, isLoading: false };
    return;
  }
  const frame = geoFrameOf(opened, image.info);
  const isForeign = foreignImage(opened.path) !== undefined;
  let [maps, problem]: [readonly GeoMap[], Problem | undefined] = [[], undefined];
  const sources = sourcesOf(opened);
  openPoints(opened.path, image.info);
  loaded.value = { image, maps, isLoading: sources.length > 0, problem };
  for (const source of sources) {
    const ask = isForeign ? fetchForeignJson : fetchJson;
    const answer = typeof source === 'string' ? await ask(source, abort) : { ok: true as const, value: source };
    if (abort.aborted) return;
    if (answer.ok) maps = [...maps, ...readGeoreferences(answer.value, frame)];
    else problem = answer.problem;
  }
  loaded.value = { image, maps, isLoading: false, problem };
}

/** Follows the open page; returns the function that ends it. */
export function followGeoreferences(): () => void {
  const openPath = computed(() => openedNow()?.path);
  const reset = (): void => {
    loaded.value = nothing;
  };
  return followRequests((abort) => {
    const isOpen = openPath.value !== undefined;
    untracked(() => {
      reset();
      const opened = isOpen ? openedNow() : undefined;
      if (opened !== undefined) void load(opened, abort);
    });
  }, reset);
}
