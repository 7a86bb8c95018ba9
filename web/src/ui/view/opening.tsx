/** An opening as a book: the fold between its pages, and a leaf that turns over it. */
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Matrix } from '../../model/view/geometry.ts';
import { partsOfOpening, type Span } from '../../model/view/page-order.ts';
import { openedNow } from '../../state/opened.ts';
import { readingDirection } from '../../state/pages.ts';
import { frame, stage, view } from '../../state/view.ts';
import { seesWhole } from '../../state/viewport.ts';

/** How far the shade of the fold reaches into the pages, in fractions of the main one’s width. */
const shade = 0.08;

/** CSS pixels of an element before its transformation; the value has no effect. */
const side = 100;

/** Lays an element over a part of the opening, as high as the main page. */
function transformOver([a, b, c, d, e, f]: Matrix, { x, width }: Span): string {
  const values = [(a * width) / side, (b * width) / side, c / side, d / side, e + a * x, f + b * x];
  return `matrix(${values.join(', ')})`;
}

export function Opening(): VNode | null {
  const now = frame.value;
  const on = stage.value;
  const at = openedNow()?.at;
  const before = useRef(at);
  const turned = before.current === undefined || at === undefined ? 0 : Math.sign(at - before.current);
  const last = useRef(0);
  if (turned !== 0) last.current = turned;
  // Between two openings there may be none.
  useLayoutEffect(() => {
    before.current = at ?? before.current;
  }, [at]);
  const parts = view.value.twoPages && now && on && partsOfOpening(now.image, on.spread);
  if (!parts) return null;
  const { left, fold, right } = parts;
  const isForward = last.current > 0 === (readingDirection.value === 'left-to-right');
  return (
    <>
      <div
        class="book-fold through"
        style={{ transform: transformOver(now.matrix, { x: fold.x - shade, width: fold.width + 2 * shade }) }}
      />
      {last.current !== 0 && seesWhole() && (
        <div
          key={at}
          class={`turning-leaf through ${isForward ? 'to-left' : 'to-right'}`}
          style={{ transform: transformOver(now.matrix, isForward ? right : left) }}
          // A leaf that is there again, after a look at a detail, has turned before.
          onAnimationEnd={() => {
            last.current = 0;
          }}
        >
          <div />
        </div>
      )}
    </>
  );
}
