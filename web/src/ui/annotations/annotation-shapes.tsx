/** The annotations on the image. All of them move with one transformation, so that thousands cost no more than one. */
import '../../styles/annotations.css';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { annotationAt, type ShownAnnotation } from '../../model/notes/canvas-annotations.ts';
import { type Matrix, toImage } from '../../model/view/geometry.ts';
import { annotations, chosen, shownAnnotations } from '../../state/notes/page-annotations.ts';
import { frame, onPointer } from '../../state/stages.ts';
import { tool } from '../../state/tools.ts';
import { noteStyle } from '../common/note-style.ts';

/** Units of the paths per side of the image: browsers round small ones. */
const units = 10_000;

const written = (value: number): string => (value * units).toFixed(1);

/** A point is a line without a length, of which the round ends are drawn. */
const pathOf = ({ outlines }: ShownAnnotation): string =>
  outlines
    .map(({ points, closed }) => {
      const all = points.length === 1 ? [...points, ...points] : points;
      return `M${all.map(({ x, y }) => `${written(x)} ${written(y)}`).join('L')}${closed ? 'Z' : ''}`;
    })
    .join('');

const transformOf = ([a, b, c, d, e, f]: Matrix): string =>
  `matrix(${[a / units, b / units, c / units, d / units, e, f].join(' ')})`;

const isPoint = ({ outlines }: ShownAnnotation): boolean => outlines.every(({ points }) => points.length === 1);

function Shape({ annotation }: { readonly annotation: ShownAnnotation }): VNode | null {
  const path = pathOf(annotation);
  if (path === '') return null;
  const names = ['annotation-shape', isPoint(annotation) ? 'point' : '', chosen.value === annotation ? 'chosen' : ''];
  return (
    <g
      class={names.join(' ').trim()}
      style={noteStyle(annotation.color)}
      data-number={annotations.value.list.indexOf(annotation) + 1}
    >
      <path class="edge" d={path} />
      <path class="core" d={path} />
    </g>
  );
}

/** Only this part is rendered again while the image moves. */
function Moved({ children }: { readonly children: readonly VNode[] }): VNode | null {
  const now = frame.value;
  return now === undefined ? null : <g transform={transformOf(now.matrix)}>{children}</g>;
}

/** A click on an annotation chooses it, also in the list; elsewhere a click does what it does without annotations. */
function useClicks(): void {
  useEffect(
    () =>
      onPointer((pointer) => {
        const now = frame.peek();
        if (now === undefined || pointer.kind !== 'click' || tool.peek() !== 'move') return;
        const found = annotationAt(shownAnnotations.peek(), toImage(now.matrix, pointer.at));
        if (found === undefined) return;
        pointer.use();
        chosen.value = found;
      }),
    [],
  );
}

export function AnnotationShapes(): VNode {
  useClicks();
  return (
    <svg class="annotation-shapes" aria-hidden="true">
      <Moved>
        {shownAnnotations.value.map((annotation, index) => (
          <Shape key={index} annotation={annotation} />
        ))}
      </Moved>
    </svg>
  );
}
