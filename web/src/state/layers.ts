/** The layers of the open page: which there are, which are shown, and what the stage draws of them. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { ImageCard } from '../../../src/core/image/folder/folder-listing.ts';
import { foreignImage } from '../data/images.ts';
import { partOnImage } from '../model/view/geometry.ts';
import { drawnLayers, extentOf, type Layer, only, shownOf } from '../model/view/layers.ts';
import { type LayersView, type ShownLayer, wholeImage } from '../model/view-state.ts';
import type { LayerStack, StageLayer } from '../stage/layer-drawing.ts';
import { openedNow } from './opened.ts';
import { stageImage } from './stage-images.ts';
import { changeView, view } from './view.ts';

/** A page that needs no layers has none: its image is the page. */
const noLayers: readonly Layer[] = [];

/** The layers of a page of a manifest, where it has several images, or shows a part of one. */
function layersOf({ path, label, layers }: ImageCard): readonly Layer[] {
  const page = foreignImage(path)?.page;
  if (layers === undefined) {
    const part = page?.part;
    return part === undefined ? noLayers : [{ path, label, place: wholeImage, part, isShownAtFirst: true }];
  }
  return layers.map((layer, index) => {
    const painted = page?.layers[index];
    const place = page && painted ? partOnImage(painted.place, page.place) : wholeImage;
    return { ...layer, place, part: painted?.part, isShownAtFirst: painted?.isShownAtFirst ?? index === 0 };
  });
}

/** The layers of the open page; one for a page that shows a part of an image, none for most pages. */
const allLayers: ReadonlySignal<readonly Layer[]> = computed(() => {
  const opened = openedNow();
  return opened === undefined || opened.inner > 1 ? noLayers : layersOf(opened.card);
});

/** The layers that the reader can choose from; none where there are not several. */
export const pageLayers: ReadonlySignal<readonly Layer[]> = computed(() =>
  allLayers.value.length > 1 ? allLayers.value : noLayers,
);

export const shownLayers: ReadonlySignal<readonly ShownLayer[]> = computed(() =>
  shownOf(view.value.layers.shown, pageLayers.value),
);

export const changeLayers = (change: Partial<LayersView>): void =>
  changeView({ layers: { ...view.peek().layers, ...change } });

export const showLayers = (shown: readonly ShownLayer[]): void => changeLayers({ shown });

/** Shows the layer after the upper one that is shown, alone; after the last one the first. */
export function showNextLayer(): void {
  const count = pageLayers.peek().length;
  const upper = shownLayers.peek().at(-1)?.number ?? 0;
  if (count > 0) showLayers(only((upper % count) + 1));
}

/** Whether the upper one of blinking layers is out of sight at the moment. */
export const isBlinkedOff = signal(false);

/** What the stage draws of a page; undefined for its image alone. A layer that can't be loaded is left out. */
export async function layerStack(
  card: ImageCard,
  { shown, mix, edge }: LayersView,
  isOff = false,
): Promise<LayerStack | undefined> {
  const layers = layersOf(card);
  if (layers.length === 0) return undefined;
  const drawn = drawnLayers(shownOf(shown, layers), { mix }, isOff);
  const loaded = await Promise.all(
    drawn.map(async ({ number, ...drawing }): Promise<StageLayer | undefined> => {
      const layer = layers[number - 1];
      const image = layer && (await stageImage(layer.path));
      return image && { ...image, ...drawing, place: layer.place, part: layer.part };
    }),
  );
  return {
    layers: loaded.filter((one) => one !== undefined),
    extent: extentOf(layers),
    edge,
    paths: layers.map(({ path }) => path),
  };
}
