/** The surface of the light table: a list of what lies on it, which is drawn where it lies. */
import { useSignal } from '@preact/signals';
import { ImageOff } from 'lucide';
import type { VNode } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { tableMessage } from '../../messages/light-table-messages.ts';
import { noteStyle } from '../../model/light-table/arrangement.ts';
import { boundsOf, chosen, cornersOn, type TableItem } from '../../model/light-table/table.ts';
import { scaleBarWithin } from '../../model/view/framing.ts';
import { boxAround } from '../../model/view/geometry.ts';
import type { Point } from '../../model/view-state.ts';
import { activeKey, camera, items, placeCamera, ratioOf, selection, surface } from '../../state/light-table/table.ts';
import { factsOf, problemAt } from '../../state/light-table/table-images.ts';
import { Icon } from '../common/button.tsx';
import { useAfterPause, useSize } from '../common/elements.ts';
import { drawnFrame, useGestures } from './gestures.ts';
import { ItemPictures, type Seen } from './item-pictures.tsx';
import { pressKey } from './table-keys.ts';
import { lengthWords, nameOf, spokenName } from './words.ts';

/** After the last movement before sharper pictures are requested, in ms. */
const restMs = 150;

/** The point of the surface, in CSS pixels, at a point of the table. */
const toSurface = ({ x, y }: Point): Point => {
  const [{ width, height }, now] = [surface.value, camera.value];
  return { x: width / 2 + (x - now.x) / now.mm, y: height / 2 + (y - now.y) / now.mm };
};

interface ItemProps {
  readonly id: string;
  readonly item: TableItem;
  readonly seen: Seen | undefined;
}

function Content({ item, seen }: Pick<ItemProps, 'item' | 'seen'>): VNode | null {
  if (item.kind === 'note') return <span class="table-note">{item.text || tableMessage('empty-note')}</span>;
  if (problemAt(item.path) !== undefined) return <Icon of={ImageOff} size={26} />;
  const facts = factsOf(item.path);
  return facts ? <ItemPictures item={item} image={facts.size} ratio={ratioOf(item)} seen={seen} /> : null;
}

function Item({ id, item, seen }: ItemProps): VNode {
  const ratio = ratioOf(item);
  const { key, kind, width, rotation } = item;
  const height = width * ratio;
  const transform = `translate(${item.x - width / 2}px, ${item.y - height / 2}px) rotate(${rotation}deg)`;
  const font = kind === 'note' ? { fontSize: `${(noteStyle.font * width) / noteStyle.width}px` } : {};
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and refers to the active option.
    <div
      role="option"
      id={id}
      class={`table-item ${kind}`}
      aria-selected={selection.value.has(key)}
      aria-label={spokenName(item)}
      data-key={key}
      style={{ transform, width: `${width}px`, height: `${height}px`, ...font }}
    >
      <Content item={item} seen={seen} />
    </div>
  );
}

/** The label of an image is shown where it is not much wider than the image, in CSS pixels. */
const leastLabelled = 64;

/** The labels of images, upright below them. */
function Labels(): VNode {
  return (
    <div class="table-labels cover through" aria-hidden="true">
      {items.value.map((item) => {
        const box = boundsOf([item], ratioOf);
        const width = (box?.width ?? 0) / camera.value.mm;
        if (item.kind === 'note' || box === undefined || width < leastLabelled) return null;
        const { x, y } = toSurface({ x: item.x, y: box.y + box.height });
        return (
          <span key={item.key} class="clip" style={{ left: `${x}px`, top: `${y}px`, maxWidth: `${width}px` }}>
            {item.group === 0 ? '' : <b>{item.group}</b>}
            {nameOf(item)}
          </span>
        );
      })}
    </div>
  );
}

const pointsOf = (points: readonly Point[]): string =>
  points
    .map(toSurface)
    .map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`)
    .join(' ');

/** Lines around what is selected, around the active one, and the frame that is drawn. */
function Outlines(): VNode {
  const all = items.value;
  const active = all.find(({ key }) => key === activeKey.value);
  const frame = drawnFrame.value;
  return (
    <svg class="table-outlines cover through" aria-hidden="true" focusable="false">
      {chosen(all, selection.value).map((item) => (
        <polygon
          key={item.key}
          class={item.group === 0 ? 'chosen' : 'chosen grouped'}
          points={pointsOf(cornersOn(item, ratioOf(item)))}
        />
      ))}
      {active && <polygon class="active" points={pointsOf(cornersOn(active, ratioOf(active)))} />}
      {frame && (
        <polygon
          class="drawn"
          points={pointsOf([
            frame,
            { x: frame.x + frame.width, y: frame.y },
            { x: frame.x + frame.width, y: frame.y + frame.height },
            { x: frame.x, y: frame.y + frame.height },
          ])}
        />
      )}
    </svg>
  );
}

/** Between the handle that turns and what is turned, and between handles and the edges of the window, in CSS pixels. */
const handleDistance = 28;
const handleMargin = 16;

/** Where a handle can be reached, also of what is larger than the window. */
function inWindow({ x, y }: Point, below = 0): Point {
  const { width, height } = surface.value;
  return {
    x: Math.min(Math.max(x, handleMargin), width - handleMargin),
    y: Math.min(Math.max(y + below, handleMargin), height - handleMargin),
  };
}

/** Handles that turn and scale what is selected; keys and fields do the same. */
function Handles(): VNode | null {
  const all = chosen(items.value, selection.value);
  const box = boxAround(all.flatMap((item) => cornersOn(item, ratioOf(item))));
  if (box === undefined) return null;
  const top = inWindow(toSurface({ x: box.x + box.width / 2, y: box.y }), -handleDistance);
  const corner = inWindow(toSurface({ x: box.x + box.width, y: box.y + box.height }));
  return (
    <div aria-hidden="true">
      {all.some(({ kind }) => kind === 'image') && (
        <span class="table-handle turn" data-handle="turn" style={{ left: `${top.x}px`, top: `${top.y}px` }} />
      )}
      <span class="table-handle scale" data-handle="scale" style={{ left: `${corner.x}px`, top: `${corner.y}px` }} />
    </div>
  );
}

/** Longest length of the bar on the screen, in CSS pixels. */
const longestBar = 140;

function ScaleBar(): VNode | null {
  const bar = scaleBarWithin((longestBar * camera.value.mm) / 1000, 1);
  if (bar === undefined) return null;
  return (
    <p class="table-scale through">
      <span style={{ width: `${bar.share * longestBar}px` }} />
      {lengthWords(bar.meters * 1000)}
    </p>
  );
}

export function Surface(): VNode {
  const element = useRef<HTMLDivElement>(null);
  const id = useId();
  const size = useSize(element).value;
  const seen = useSignal<Seen | undefined>(undefined);
  useEffect(() => {
    surface.value = size;
    placeCamera();
  }, [size]);
  useGestures(element);
  const { x, y, mm } = camera.value;
  useAfterPause(
    () => {
      seen.value = { camera: camera.peek(), window: size };
    },
    restMs,
    [x, y, mm, size],
  );
  const plane = `translate(${size.width / 2}px, ${size.height / 2}px) scale(${1 / mm}) translate(${-x}px, ${-y}px)`;
  const active = activeKey.value;
  return (
    <div class="table-surface" ref={element}>
      <div
        class="table-list cover"
        role="listbox"
        tabIndex={0}
        aria-multiselectable="true"
        aria-label={tableMessage('surface')}
        aria-describedby={`${id}-hint`}
        aria-activedescendant={active === undefined ? undefined : `${id}-${active}`}
        onKeyDown={pressKey}
      >
        <div class="table-plane" role="presentation" style={{ transform: plane }}>
          {items.value.map((item) => (
            <Item key={item.key} id={`${id}-${item.key}`} item={item} seen={size.width > 0 ? seen.value : undefined} />
          ))}
        </div>
      </div>
      <Labels />
      <Outlines />
      <Handles />
      <ScaleBar />
      <span id={`${id}-hint`} hidden>
        {tableMessage('surface-hint')}
      </span>
    </div>
  );
}
