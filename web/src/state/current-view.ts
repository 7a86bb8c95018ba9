/** The current view as addresses and pictures of it need it. */
import { computed, type ReadonlySignal } from '@preact/signals';
import { language } from '../messages/message.ts';
import { keepOnImage, regionAtScale } from '../model/framing.ts';
import type { ViewState } from '../model/view-state.ts';
import { openedNow } from './opened.ts';
import { frame } from './stage.ts';
import { view } from './view.ts';
import { fixedScale } from './viewport.ts';

/** The view by the file name of its image, which stays valid when page numbers shift. */
export const namedView: ReadonlySignal<ViewState> = computed(() => ({
  ...view.value,
  fn: openedNow()?.path ?? view.value.fn,
  pn: 1,
}));

/** The same with the visible region also where the size of the window determines it; for pictures. */
export const pictured: ReadonlySignal<ViewState> = computed(() => {
  const state = namedView.value;
  const now = frame.value;
  const scale = fixedScale(state.mode);
  if (now === undefined || scale === undefined) return state;
  return { ...state, region: keepOnImage(regionAtScale(state, scale, now.image, now.window)) };
});

/** Device pixels per pixel of the image. */
export const scaleOnScreen: ReadonlySignal<number> = computed(
  () => (frame.value?.placement.scale ?? 1) * devicePixelRatio,
);

/** The same in percent, in the reader's language; empty while there is no image. */
export const currentPercent: ReadonlySignal<string> = computed(() => {
  if (frame.value === undefined) return '';
  const scale = scaleOnScreen.value;
  return scale.toLocaleString(language.value, { style: 'percent', maximumFractionDigits: scale < 0.1 ? 1 : 0 });
});
