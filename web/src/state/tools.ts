/** The open panel, the selected tool and the open dialog; whether the pointer selects text; and what the embedding page chooses. */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { foreignImage } from '../data/images.ts';
import { isForeign } from '../model/address/address-text.ts';
import { parseEmbedOptions } from '../model/embed/frame-messages.ts';
import { openState } from './opened.ts';
import { pagesShown } from './pages.ts';
import { changeView, view } from './view.ts';

export type PanelName =
  | 'contents'
  | 'adjust'
  | 'notes'
  | 'measure'
  | 'cite'
  | 'about'
  | 'annotations'
  | 'text'
  | 'search'
  | 'layers'
  | 'tour';

export const panel = signal<PanelName | undefined>(undefined);

export type ToolName =
  | 'move'
  | 'zoom-area'
  | 'mark'
  | 'rectangle'
  | 'magnifier'
  | 'line'
  | 'path'
  | 'angle'
  | 'polygon'
  | 'box'
  | 'circle'
  | 'ellipse'
  | 'oval'
  | 'grid'
  | 'intercolumniation'
  | 'proportion'
  /** A line of known length, which sets the scale. */
  | 'reference-length'
  /** A point by which compared images are aligned. */
  | 'align';

export const tool = signal<ToolName>('move');

/** The panel that a tool belongs to; undefined for the tools of the bars around the image. */
function panelOf(name: ToolName): PanelName | undefined {
  if (name === 'move' || name === 'zoom-area' || name === 'magnifier' || name === 'align') return undefined;
  return name === 'mark' || name === 'rectangle' ? 'notes' : 'measure';
}

// A panel that is left takes its tool along, so that the next drag moves the image.
effect(() => {
  const open = panel.value;
  const owner = panelOf(tool.peek());
  if (owner !== undefined && owner !== open) tool.value = 'move';
});

export const togglePanel = (name: PanelName): void => {
  panel.value = panel.peek() === name ? undefined : name;
};

/** The tabs of the panel about citing, in their order. */
export const citeTabs = ['cite', 'download', 'embed', 'developers'] as const;

/** The index of the tab that is shown. */
export const citeTab = signal(0);

/** Opens the panel about citing at a tab, or closes it where it is open there. */
export function toggleCite(name: (typeof citeTabs)[number]): void {
  const tab = citeTabs.indexOf(name);
  const isShown = panel.peek() === 'cite' && citeTab.peek() === tab;
  citeTab.value = tab;
  panel.value = isShown ? undefined : 'cite';
}

export const toggleTool = (name: ToolName): void => {
  tool.value = tool.peek() === name ? 'move' : name;
};

export type DialogName = 'keyboard' | 'calibration';

export const dialog = signal<DialogName | undefined>(undefined);

export const openDialog = (name: DialogName): void => {
  dialog.value = name;
};

export const closeDialog = (): void => {
  dialog.value = undefined;
};

export const hasText: ReadonlySignal<boolean> = computed(() => {
  const now = openState.value;
  if (now.kind !== 'open') return false;
  const { images } = now.opened;
  return pagesShown(now.opened).some(({ at }) => images.cardAt(at)?.hasText === true);
});

/** Whether the open page is more than an image, such as sound or video. */
export const isPlayed: ReadonlySignal<boolean> = computed(() => {
  const now = openState.value;
  return now.kind === 'open' && foreignImage(now.opened.path)?.page.played !== undefined;
});

/** Whether the book has texts, as far as its pages have loaded, or is searched already. */
export const canSearch: ReadonlySignal<boolean> = computed(() => {
  const now = openState.value;
  if (now.kind !== 'open' || isForeign(now.opened.path)) return false;
  return hasText.value || view.value.search !== '' || now.opened.folder.images.some((card) => card.hasText);
});

/** Whether dragging over the image selects text instead of moving the image. */
export const selectsText: ReadonlySignal<boolean> = computed(
  () => view.value.selectsText && tool.value === 'move' && hasText.value,
);

/** Whether text is being selected with the pointer, also after a long press without the tool. */
export const isSelecting = signal(false);

/** Shows the text of the pages without their images. */
export function showTextAlone(): void {
  if (panel.peek() === 'text') panel.value = undefined;
  changeView({ layout: 'text' });
}

/** Lets the pointer select text, or move the image again. */
export function selectText(on: boolean): void {
  tool.value = 'move';
  changeView({ selectsText: on });
}

/** Does nothing on a page without a text. */
export function toggleSelectsText(): void {
  if (hasText.peek()) selectText(!selectsText.peek());
}

export const embedOptions = signal(parseEmbedOptions(location.hash.slice(1)));
