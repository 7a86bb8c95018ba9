/** The viewer's side of the messages with the page around it. */
import { effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Problem } from '../../data/fetch.ts';
import { type FrameCommand, parseCommand } from '../../model/frame-commands.ts';
import { type FromViewer, messageVersion, type OutgoingState, type PlainCommand } from '../../model/frame-messages.ts';
import { viewRoute } from '../../model/routes.ts';
import { plainView, type ViewState } from '../../model/view-state.ts';
import { showVisiting } from '../../state/notes.ts';
import { goToPage, openedNow, openState } from '../../state/opened.ts';
import { goToNeighbor } from '../../state/paging.ts';
import { replaceRoute } from '../../state/route.ts';
import { frame } from '../../state/stage.ts';
import { changeView, resetView, view } from '../../state/view.ts';
import { showWhole, zoomIn, zoomOut } from '../../state/viewport.ts';
import { outgoingPage, outgoingSize, outgoingView } from './outgoing.ts';

/** So long a view must stay before it is told, in ms: dragging changes it with every frame. */
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

/** Notes are shown in place of the reader's own, as those of an address. */
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
    case 'get':
      post({ type: 'answer', id: command.id, ...outgoingState() });
      break;
    default:
      plainActions[command.type]();
  }
}

/** Tells something whenever it is another than was told last. */
function onChange<T>(read: () => T | undefined, tell: (value: T) => void): () => void {
  let last = '';
  return effect(() => {
    const value = read();
    const text = JSON.stringify(value);
    if (value === undefined || text === last) return;
    last = text;
    tell(value);
  });
}

/** The same after a pause. */
function onChangeAfterPause<T>(read: () => T | undefined, tell: (value: T) => void): () => void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const stop = onChange(read, (value) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => tell(value), pauseMs);
  });
  return () => {
    clearTimeout(waiting);
    stop();
  };
}

/** Null where all is well, so that the same problem is told again when it comes again. */
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
 * Who stands around the viewer is known from the browser or from its first message. Until then anybody may hear what
 * the viewer says: nothing of it is secret, and only those whom the server allows can stand there.
 */
function firstTarget(): string {
  const { ancestorOrigins } = location as Location & { readonly ancestorOrigins?: DOMStringList };
  return targetOf(ancestorOrigins?.[0] ?? 'null');
}

/** A page without an origin of its own can't be named. */
const targetOf = (origin: string): string => (origin === 'null' ? '*' : origin);

function exchangeMessages(around: Window): () => void {
  let target = firstTarget();
  const post: Post = (message) => around.postMessage({ lectern: messageVersion, ...message }, target);
  const hear = ({ source, origin, data }: MessageEvent): void => {
    if (source !== around) return;
    const command = parseCommand(data);
    if (command === undefined) return;
    target = targetOf(origin);
    runCommand(command, post);
  };
  addEventListener('message', hear);
  const stop = postChanges(post);
  return () => {
    removeEventListener('message', hear);
    stop();
  };
}

/** Speaks with the page around the viewer as long as this is on the page. */
export function FrameMessages(): null {
  useEffect(() => (window.parent === window ? undefined : exchangeMessages(window.parent)), []);
  return null;
}
