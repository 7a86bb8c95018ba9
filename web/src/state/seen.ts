/** What is seen now, for addresses and pictures of it. */
import { computed, type ReadonlySignal } from '@preact/signals';
import { language } from '../messages/message.ts';
import { keepOnImage, regionAtScale } from '../model/framing.ts';
import type { ViewState } from '../model/view-state.ts';
import { openedNow } from './opened.ts';
import { fixedScale, frame } from './stage.ts';
import { view } from './view.ts';

/** The view under the name of the image's file, which stays where page numbers shift. */
export const namedView: ReadonlySignal<ViewState> = computed(() => ({
  ...view.value,
  fn: openedNow()?.path ?? view.value.fn,
  pn: 1,
}));

/** The same with the region that is seen, also where the window says how much that is; for pictures. */
export const pictured: ReadonlySignal<ViewState> = computed(() => {
  const state = namedView.value;
  const now = frame.value;
  const scale = fixedScale(state.mode);
  if (now === undefined || scale === undefined) return state;
  return { ...state, region: keepOnImage(regionAtScale(state, scale, now.image, now.window)) };
});

/** The screen's own pixels for a pixel of the image. */
export const scaleOnScreen: ReadonlySignal<number> = computed(
  () => (frame.value?.placement.scale ?? 1) * devicePixelRatio,
);

/** The same in percent, as the reader's language writes it; empty as long as there is no image. */
export const percentNow: ReadonlySignal<string> = computed(() => {
  if (frame.value === undefined) return '';
  const scale = scaleOnScreen.value;
  return scale.toLocaleString(language.value, { style: 'percent', maximumFractionDigits: scale < 0.1 ? 1 : 0 });
});
