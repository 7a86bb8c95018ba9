/** The view of a step: as it is written in guided views, and as the viewer shows it. */
import { formatPairs, parsePairs } from '../address/address-text.ts';
import { parseView, viewPairs } from '../address/view-query.ts';
import { plainView, type TourPlace, type ViewState } from '../view-state.ts';

/** What belongs to the reader and not to the view: words that are searched for, the display, and other guided views. */
const ownOfReader = { search: '', selectsText: false, ddpi: undefined, tour: undefined, unknown: [] } as const;

/** The parameters of a view, without those that have their default; notes with their texts. */
export function formatStepView(state: ViewState): string {
  const withTexts = [...state.marks, ...state.rectangles].some(({ text }) => text !== undefined);
  return formatPairs(viewPairs({ ...state, ...ownOfReader, pn: 1, layout: 'page', withTexts }));
}

/** The view of a step; `place` is what its address says of the guided views. */
export const stepView = (
  { page, view }: { readonly page: string; readonly view: string },
  place?: TourPlace,
): ViewState => ({
  ...(view === '' ? plainView(page) : parseView(page, parsePairs(view))),
  ...ownOfReader,
  pn: 1,
  layout: 'page',
  tour: place,
});

/** Whether a path names the same page as another one, of which one may lack the extension of the file. */
export function isSamePage(one: string, other: string): boolean {
  if (one === other) return true;
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one];
  return longer.startsWith(`${shorter}.`) && /^\.[^./;]+$/.test(longer.slice(shorter.length));
}
