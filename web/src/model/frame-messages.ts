/** What the viewer inside of a page and the page around it say to each other: version 1 of the messages. */
import type { ViewState } from './view-state.ts';

/** Every message has `lectern: 1`; another number is another language. */
export const messageVersion = 1;

/** What of a view is told to the page around it. Texts of marks are the reader's own and stay with the viewer. */
export interface OutgoingView
  extends Pick<ViewState, 'region' | 'rotation' | 'mirror' | 'mode' | 'color' | 'marks' | 'rectangles' | 'twoPages'> {
  /** The view's address in the reading room. */
  readonly address: string;
  /** The image's path in the library. */
  readonly path: string;
}

/** Which page is open. */
export interface OutgoingPage {
  /** Its place in the folder, from 1. */
  readonly at: number;
  readonly total: number;
  readonly label: string;
  readonly path: string;
}

/** What a frame needs to take the shape of the image. */
export interface OutgoingSize {
  /** Pixels of the image. */
  readonly width: number;
  readonly height: number;
  /** Width by height as it is seen, turned. */
  readonly ratio: number;
  /** CSS pixels of the frame beside and above the image's place. */
  readonly bars: { readonly width: number; readonly height: number };
}

/** What is told of all at once; what is not known yet is null. */
export interface OutgoingState {
  readonly view: OutgoingView | null;
  readonly page: OutgoingPage | null;
  readonly size: OutgoingSize | null;
}

/** What the viewer says. */
export type FromViewer =
  | { readonly type: 'ready' }
  | { readonly type: 'view'; readonly view: OutgoingView }
  | { readonly type: 'page'; readonly page: OutgoingPage }
  | { readonly type: 'size'; readonly size: OutgoingSize }
  | { readonly type: 'problem'; readonly problem: string }
  | ({ readonly type: 'answer'; readonly id: string | number } & OutgoingState);

/** What the page around it can ask for without saying more. */
export const plainCommands = ['next', 'previous', 'reset', 'zoomIn', 'zoomOut', 'whole'] as const;
export type PlainCommand = (typeof plainCommands)[number];
