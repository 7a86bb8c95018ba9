/** The guided views that are played, and the step that is seen. */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { Tour } from '../../../../src/core/image/tour/tour.ts';
import { viewRoute } from '../../model/address/routes.ts';
import { isSamePage, stepView } from '../../model/tour/step-view.ts';
import { openedNow } from '../opened.ts';
import { goTo, page, replaceRoute } from '../route.ts';
import { changeView, flushViewport, stage, view } from '../view.ts';
import type { FoundTour } from './annotation-tour.ts';
import { loadTour } from './loaded-tour.ts';

type Playing = { readonly state: 'loading' } | { readonly state: 'loaded'; readonly found: FoundTour };

const now = signal<Playing>({ state: 'loading' });

export const playing: ReadonlySignal<Playing> = now;

export const playedTour: ReadonlySignal<Tour | undefined> = computed(() => {
  const { value } = now;
  return value.state === 'loaded' && value.found.ok ? value.found.tour : undefined;
});

/** Of the step that is seen, from 0. */
export const stepIndex: ReadonlySignal<number> = computed(() => {
  const last = (playedTour.value?.steps.length ?? 1) - 1;
  return Math.min((view.value.tour?.step ?? 1) - 1, last);
});

/** Shows a step: the page stays where it is the same, so that the image moves. */
export function showStep(index: number): void {
  const step = playedTour.peek()?.steps[index];
  const place = view.peek().tour;
  const here = page.peek();
  if (step === undefined || place === undefined || here.kind !== 'view') return;
  flushViewport();
  const state = stepView(step, { ...place, step: index + 1 });
  const opened = openedNow();
  if (opened !== undefined && isSamePage(opened.path, state.fn)) changeView({ ...state, fn: view.peek().fn });
  else replaceRoute(viewRoute(state, here.embedded));
}

/** Ends what is played, and leaves the view as it is. */
export const endTour = (): void => changeView({ tour: undefined });

/** Plays guided views from a step on (from 0), over the page that is open. */
export function playTour(source: string, tour: Tour, index = 0): void {
  const step = tour.steps[index];
  const here = page.peek();
  if (step === undefined || here.kind !== 'view') return;
  now.value = { state: 'loaded', found: { ok: true, tour } };
  loadedSource = source;
  goTo(viewRoute(stepView(step, { source, step: index + 1 }), here.embedded));
}

/** What was loaded last. */
let loadedSource: string | undefined;

/** In seconds: how long the image moves from one step to the next. */
const pace = 1.4;

/** Loads what the address names, and shows its step; the returned function ends that. */
export function followTour(): () => void {
  let request: AbortController | undefined;
  const source = computed(() => view.value.tour?.source);
  const endLoading = effect(() => {
    const wanted = source.value;
    request?.abort();
    if (wanted === undefined || wanted === loadedSource) return;
    now.value = { state: 'loading' };
    request = new AbortController();
    const { signal: wish } = request;
    void loadTour(wanted, wish).then((found) => {
      if (wish.aborted) return;
      loadedSource = wanted;
      now.value = { state: 'loaded', found };
      showStep(stepIndex.peek());
    });
  });
  const endPace = effect(() => stage.value?.setPace(pace));
  return () => {
    endLoading();
    endPace();
    request?.abort();
    loadedSource = undefined;
    stage.peek()?.setPace();
  };
}
