/** The routes of the reading room. */
import { type Comparison, sideBySide } from './comparison.ts';
import { plainView, type ViewState } from './view-state.ts';

export interface ViewRoute {
  readonly kind: 'view';
  readonly state: ViewState;
  /** Whether the viewer is inside of another page. */
  readonly embedded: boolean;
}

export interface BrowseRoute {
  readonly kind: 'browse';
  readonly folder: string;
  /** The position of the first image shown, from 1. */
  readonly from: number;
  /** The text that is searched for; empty for none. */
  readonly search: string;
}

export interface TableRoute {
  readonly kind: 'table';
  readonly folder: string;
  /** The position of the first image shown, from 1. */
  readonly from: number;
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  /** Parameters of the Scaler that addresses of old contact sheets apply to every thumbnail. */
  readonly operations: readonly (readonly [name: string, value: string])[];
}

/** Images beside or above each other. */
export interface CompareRoute {
  readonly kind: 'compare';
  readonly comparison: Comparison;
}

export type Route = ViewRoute | BrowseRoute | TableRoute | CompareRoute;

/** Maximum number of images or folders on one page of a folder. */
export const partCount = 100;

/** The position of the first image on the page of a folder that holds an image. */
export const partFrom = (at: number): number => Math.floor((at - 1) / partCount) * partCount + 1;

export const folderRoute = (folder: string, from = 1): BrowseRoute => ({ kind: 'browse', folder, from, search: '' });

export const searchRoute = (folder: string, search: string): BrowseRoute => ({ ...folderRoute(folder), search });

export const viewRoute = (state: ViewState, embedded = false): ViewRoute => ({ kind: 'view', state, embedded });

export const imageRoute = (path: string): ViewRoute => viewRoute(plainView(path));

export const compareRoute = (comparison: Comparison): CompareRoute => ({ kind: 'compare', comparison });

/** The views side by side, as they are; more than a comparison can hold are left out. */
export const compareViewsRoute = (views: readonly ViewState[]): CompareRoute => compareRoute(sideBySide(views));

export const tableRoute = (folder: string): TableRoute => ({
  kind: 'table',
  folder,
  from: 1,
  columns: undefined,
  rows: undefined,
  operations: [],
});
