/** The messages between the embedded viewer and the page around it (`postMessage`): version 1; and the options that this page sets. */
import type { ViewState } from '../view-state.ts';

/** All tools; pages and zoom alone; or the image alone. */
const toolbars = ['full', 'zoom', 'none'] as const;

/** The wheel scrolls the page around the frame, and zooms with Ctrl; or it always zooms. */
const wheels = ['scroll', 'zoom'] as const;

export interface EmbedOptions {
  readonly toolbar: (typeof toolbars)[number];
  readonly wheel: (typeof wheels)[number];
}

export const defaultEmbedOptions: EmbedOptions = { toolbar: 'full', wheel: 'scroll' };

/** The attributes of the element that set them. */
export const embedOptionNames: readonly string[] = Object.keys(defaultEmbedOptions);

const valueIn = <T extends string>(values: readonly T[], text: unknown, byDefault: T): T =>
  values.find((value) => value === text) ?? byDefault;

/** Options from texts; what is missing or unknown is as before. */
export const withOptions = (
  before: EmbedOptions,
  { toolbar, wheel }: Readonly<Record<string, unknown>>,
): EmbedOptions => ({
  toolbar: valueIn(toolbars, toolbar, before.toolbar),
  wheel: valueIn(wheels, wheel, before.wheel),
});

/** Parses the fragment of a frame's address, without its `#`: `toolbar=none&wheel=zoom`. */
export const parseEmbedOptions = (fragment: string): EmbedOptions =>
  withOptions(defaultEmbedOptions, Object.fromEntries(new URLSearchParams(fragment)));

/** Every message has `lectern: 1`; messages with another number are ignored. */
export const messageVersion = 1;

/** The parts of a view that are posted. Texts of marks are private to the reader and are not. */
export interface OutgoingView
  extends Pick<
    ViewState,
    'region' | 'rotation' | 'mirror' | 'mode' | 'color' | 'marks' | 'rectangles' | 'twoPages' | 'shifted'
  > {
  /** The view's address in the reading room. */
  readonly address: string;
  /** The image's path in the library. */
  readonly path: string;
}

/** The open page. */
export interface OutgoingPage {
  /** Its position in the folder, from 1. */
  readonly at: number;
  readonly total: number;
  readonly label: string;
  readonly path: string;
}

/** The data from which the frame can be given the aspect ratio of the image. */
export interface OutgoingSize {
  /** Pixels of the image. */
  readonly width: number;
  readonly height: number;
  /** Width divided by height after rotation. */
  readonly ratio: number;
  /** CSS pixels of the frame that the bars take. */
  readonly bars: { readonly width: number; readonly height: number };
}

/** The complete state; null for what has not loaded yet. */
export interface OutgoingState {
  readonly view: OutgoingView | null;
  readonly page: OutgoingPage | null;
  readonly size: OutgoingSize | null;
}

/** Messages of the viewer. */
export type FromViewer =
  | { readonly type: 'ready' }
  | { readonly type: 'view'; readonly view: OutgoingView }
  | { readonly type: 'page'; readonly page: OutgoingPage }
  | { readonly type: 'size'; readonly size: OutgoingSize }
  | { readonly type: 'problem'; readonly problem: string }
  | ({ readonly type: 'answer'; readonly id: string | number } & OutgoingState);

/** Commands without parameters. */
export const plainCommands = ['next', 'previous', 'reset', 'zoomIn', 'zoomOut', 'whole'] as const;
export type PlainCommand = (typeof plainCommands)[number];
