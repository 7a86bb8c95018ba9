/** The embedded viewer and the page around its frame: messages of both, and the hint how the wheel zooms. */
import { effect, useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Problem } from '../../data/fetch.ts';
import { message } from '../../messages/messages.ts';
import { viewRoute } from '../../model/address/routes.ts';
import {
  type FrameCommand,
  type FromViewer,
  messageVersion,
  type OutgoingPage,
  type OutgoingSize,
  type OutgoingState,
  type OutgoingView,
  type PlainCommand,
  parseCommand,
} from '../../model/embed/frame-messages.ts';
import { boundsOfRotated } from '../../model/view/framing.ts';
import { type Point, plainView, type Rect, type ViewState } from '../../model/view-state.ts';
import { showVisiting } from '../../state/notes/notes.ts';
import { goToPage, openedNow, openState } from '../../state/opened.ts';
import { goToNeighbor } from '../../state/pages.ts';
import { addressOfRoute, replaceRoute } from '../../state/route.ts';
import { embedOptions } from '../../state/tools.ts';
import { changeView, frame, resetView, view } from '../../state/view.ts';
import { namedView, showWhole, zoomIn, zoomOut } from '../../state/viewport.ts';
import { keyName } from '../common/words.ts';

/** Delay before a changed view is posted, in ms, since dragging changes it in every frame. */
const pauseMs = 120;

const plainActions: Readonly<Record<PlainCommand, () => void>> = {
  next: () => goToNeighbor('next'),
  previous: () => goToNeighbor('previous'),
  reset: resetView,
  zoomIn,
  zoomOut,
  whole: showWhole,
};

const outgoingState = (): OutgoingState => ({
  view: outgoingView() ?? null,
  page: outgoingPage() ?? null,
  size: outgoingSize() ?? null,
});

type Post = (message: FromViewer) => void;

/** Marks and rectangles replace the reader's own, as those of an address do. */
function show({ marks, rectangles, ...next }: ViewState): void {
  const before = view.peek();
  changeView(next);
  if (marks !== before.marks || rectangles !== before.rectangles) showVisiting({ marks, rectangles });
}

function runCommand(command: FrameCommand, post: Post): void {
  switch (command.type) {
    case 'show':
      show(command.change(view.peek()));
      break;
    case 'page':
      void goToPage({ at: Math.min(command.at, openedNow()?.images.total ?? 1), inner: 1 });
      break;
    case 'open':
      replaceRoute(viewRoute(plainView(command.path), true));
      break;
    case 'options':
      embedOptions.value = command.change(embedOptions.peek());
      break;
    case 'get':
      post({ type: 'answer', id: command.id, ...outgoingState() });
      break;
    default:
      plainActions[command.type]();
  }
}

/** Calls `notify` whenever the value differs from the last one. */
function onChange<T>(read: () => T | undefined, notify: (value: T) => void): () => void {
  let last = '';
  return effect(() => {
    const value = read();
    const text = JSON.stringify(value);
    if (value === undefined || text === last) return;
    last = text;
    notify(value);
  });
}

/** Calls `notify` when the value has not changed for `pauseMs`. */
function onChangeAfterPause<T>(read: () => T | undefined, notify: (value: T) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = onChange(read, (value) => {
    clearTimeout(timer);
    timer = setTimeout(() => notify(value), pauseMs);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}

/** Null without a problem, so that a problem that occurs again is posted again. */
const problemNow = (): Problem | null => (openState.value.kind === 'problem' ? openState.value.problem : null);

function postChanges(post: Post): () => void {
  const stops = [
    onChange(
      () => frame.value && outgoingPage() && true,
      () => post({ type: 'ready' }),
    ),
    onChange(outgoingPage, (page) => post({ type: 'page', page })),
    onChangeAfterPause(outgoingSize, (size) => post({ type: 'size', size })),
    onChangeAfterPause(outgoingView, (now) => post({ type: 'view', view: now })),
    onChange(problemNow, (problem) => problem && post({ type: 'problem', problem })),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/**
 * The origin of the embedding page comes from the browser or from its first message. Until then messages are posted to
 * any origin: they are not secret, and only origins that the server allows can embed the viewer.
 */
function firstTarget(): string {
  const { ancestorOrigins } = location as Location & { readonly ancestorOrigins?: DOMStringList };
  return targetOf(ancestorOrigins?.[0] ?? 'null');
}

/** A page with an opaque origin can only be addressed as `*`. */
const targetOf = (origin: string): string => (origin === 'null' ? '*' : origin);

function exchangeMessages(parent: Window): () => void {
  let target = firstTarget();
  const post: Post = (message) => parent.postMessage({ lectern: messageVersion, ...message }, target);
  const receive = ({ source, origin, data }: MessageEvent): void => {
    if (source !== parent) return;
    const command = parseCommand(data);
    if (command === undefined) return;
    target = targetOf(origin);
    runCommand(command, post);
  };
  addEventListener('message', receive);
  const stop = postChanges(post);
  return () => {
    removeEventListener('message', receive);
    stop();
  };
}

export function FrameMessages(): null {
  useEffect(() => (window.parent === window ? undefined : exchangeMessages(window.parent)), []);
  return null;
}

const pointOf = ({ x, y }: Point): Point => ({ x, y });
const rectangleOf = ({ x, y, width, height }: Rect): Rect => ({ x, y, width, height });

function outgoingView(): OutgoingView | undefined {
  if (openedNow() === undefined) return undefined;
  const { fn, region, rotation, mirror, mode, color, marks, rectangles, twoPages, shifted } = namedView.value;
  return {
    address: addressOfRoute(viewRoute(namedView.value)),
    path: fn,
    region,
    rotation,
    mirror,
    mode,
    color,
    marks: marks.map(pointOf),
    rectangles: rectangles.map(rectangleOf),
    twoPages: twoPages ?? false,
    shifted,
  };
}

function outgoingPage(): OutgoingPage | undefined {
  const opened = openedNow();
  if (opened === undefined) return undefined;
  const { at, images, card, path } = opened;
  return { at, total: images.total, label: card.label, path };
}

function outgoingSize(): OutgoingSize | undefined {
  const now = frame.value;
  if (now === undefined) return undefined;
  const { image, placement, window: stage } = now;
  const rotated = boundsOfRotated(image, placement.rotation);
  return {
    width: image.width,
    height: image.height,
    ratio: rotated.width / rotated.height,
    bars: { width: innerWidth - stage.width, height: innerHeight - stage.height },
  };
}

/** How long the hint stays after the last turn of the wheel, in ms. */
const hintMs = 1500;

/** Whether a page around the frame takes the turn of the wheel. */
const isForPage = ({ ctrlKey, metaKey, target }: WheelEvent): boolean =>
  embedOptions.peek().wheel === 'scroll' &&
  !(ctrlKey || metaKey) &&
  window.parent !== window &&
  document.fullscreenElement === null &&
  target instanceof Element &&
  target.closest('.stage-area') !== null;

/** Lets the wheel scroll the page around the frame, and tells that it zooms with Ctrl. */
export function WheelHint(): VNode {
  const isShown = useSignal(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Before the stage sees it, which would prevent the scrolling. Without a listener that prevents it, the browser scrolls.
    const turn = (event: WheelEvent): void => {
      if (!isForPage(event)) return;
      event.stopImmediatePropagation();
      isShown.value = true;
      clearTimeout(timer);
      timer = setTimeout(() => {
        isShown.value = false;
      }, hintMs);
    };
    addEventListener('wheel', turn, { capture: true, passive: true });
    return () => {
      clearTimeout(timer);
      removeEventListener('wheel', turn, { capture: true });
    };
  }, []);
  return (
    <p class={isShown.value ? 'wheel-hint shown' : 'wheel-hint'} aria-hidden={!isShown.value}>
      {message('wheel-zooms', { key: keyName('Ctrl') })}
    </p>
  );
}
