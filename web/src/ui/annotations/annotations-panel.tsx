/** The annotations that the manifest names: a list in a panel, and their shapes on the image. */
import type { VNode } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { isAllowedHere, reachable } from '../../data/foreign-hosts.ts';
import { manifestMessage } from '../../messages/manifest-messages.ts';
import { message } from '../../messages/messages.ts';
import '../../messages/panel-messages.ts';
import { foreignPath } from '../../model/address/address-text.ts';
import { imageRoute } from '../../model/address/routes.ts';
import { annotationAt, kindsOf, type ShownAnnotation } from '../../model/notes/canvas-annotations.ts';
import { atLeast, type Matrix, toImage } from '../../model/view/geometry.ts';
import {
  annotations,
  chosen,
  filter,
  followAnnotations,
  shownAnnotations,
} from '../../state/notes/page-annotations.ts';
import { tool } from '../../state/tools.ts';
import { frame, onPointer } from '../../state/view.ts';
import { showRectangle } from '../../state/viewport.ts';
import { RouteLink } from '../common/button.tsx';
import { noteStyle } from '../common/elements.ts';
import { MetadataValue } from '../common/folder-facts.tsx';
import { problemTitle } from '../common/loading.tsx';
import { BreakableName, useBroken } from '../common/picture.tsx';
import { formatCount } from '../common/words.ts';

/** The number of annotations in the list; a search finds the others. */
const maxListed = 500;

/** The smallest part of the image that is shown for a point, in fractions. */
const smallest = 0.1;

function choose(annotation: ShownAnnotation): void {
  chosen.value = annotation;
  if (annotation.bounds !== undefined) showRectangle(atLeast(annotation.bounds, smallest));
}

function Filters(): VNode {
  const id = useId();
  const { words, kind } = filter.value;
  const kinds = kindsOf(annotations.value.list);
  return (
    <div class="annotation-filters wrap">
      <label class="off-screen" for={`${id}-words`}>
        {message('annotations-search')}
      </label>
      <input
        id={`${id}-words`}
        type="search"
        placeholder={message('annotations-search')}
        value={words}
        onInput={({ currentTarget }) => {
          filter.value = { ...filter.peek(), words: currentTarget.value };
        }}
      />
      {kinds.length > 1 && (
        <>
          <label class="off-screen" for={`${id}-kind`}>
            {message('annotations-kind')}
          </label>
          <select
            id={`${id}-kind`}
            value={kind}
            onChange={({ currentTarget }) => {
              filter.value = { ...filter.peek(), kind: currentTarget.value };
            }}
          >
            <option value="">{message('annotations-all')}</option>
            {kinds.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </>
      )}
    </div>
  );
}

/** Links behind the text, such as to what a tag names, and to another page of the book. */
const Links = ({ links }: Pick<ShownAnnotation, 'links'>): VNode => (
  <>
    {links.map((link, index) => (
      <p key={index}>
        {link.kind === 'canvas' ? (
          <RouteLink to={imageRoute(foreignPath(link))}>{manifestMessage('linked-page')}</RouteLink>
        ) : (
          <a
            href={link.address}
            target={link.address.startsWith('geo:') ? undefined : '_blank'}
            rel="noopener noreferrer"
          >
            <BreakableName name={link.text} />
          </a>
        )}
      </p>
    ))}
  </>
);

/** Pictures of hosts that the settings allow. */
function Picture({ address }: { readonly address: string }): VNode | null {
  const { isBroken, onError } = useBroken(address);
  if (isBroken || !isAllowedHere(address)) return null;
  return <img src={reachable(address)} alt="" loading="lazy" referrerpolicy="no-referrer" onError={onError} />;
}

/** The color is that of an author; the text keeps one that can be read. */
const authored = { paddingInlineStart: 'var(--space-5)', borderInlineStart: '3px solid var(--author)' } as const;

function Row({ annotation, at }: { readonly annotation: ShownAnnotation; readonly at: number }): VNode {
  const isChosen = chosen.value === annotation;
  const { text, tags, bounds, links, pictures, textColor } = annotation;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    <li
      class={isChosen ? 'annotation chosen' : 'annotation'}
      style={textColor === undefined ? undefined : { '--author': textColor }}
      ref={row}
    >
      <button
        type="button"
        aria-pressed={isChosen}
        aria-label={message('annotation-show', { number: at + 1 })}
        onClick={() => choose(annotation)}
      >
        {at + 1}
      </button>
      <div style={textColor === undefined ? undefined : authored}>
        {pictures.map((address) => (
          <Picture key={address} address={address} />
        ))}
        {text !== '' && <MetadataValue paragraphs={[text]} />}
        <Links links={links} />
        {tags.length > 0 && (
          <p class="note-tags wrap">
            {tags.map((tag, index) => (
              <span class="chip" key={index}>
                {tag}
              </span>
            ))}
          </p>
        )}
        {bounds === undefined && <p class="soft">{message('annotation-of-page')}</p>}
      </div>
    </li>
  );
}

function Count(): VNode {
  const { list, isLoading, problem } = annotations.value;
  const shown = shownAnnotations.value.length;
  return (
    <div role="status">
      {isLoading && <p class="soft">{message('loading')}</p>}
      {!isLoading && problem === undefined && list.length === 0 && <p class="soft">{message('annotations-none')}</p>}
      {problem !== undefined && problem !== 'aborted' && <p class="soft">{problemTitle(problem)}</p>}
      {list.length > 0 && (
        <p class="soft">
          {message('annotations-count', { shown: formatCount(shown), total: formatCount(list.length) })}
        </p>
      )}
    </div>
  );
}

export function AnnotationsPanel(): VNode {
  useEffect(followAnnotations, []);
  const shown = shownAnnotations.value.slice(0, maxListed);
  const { list } = annotations.value;
  return (
    <section class="panel-section">
      {list.length > 0 && <Filters />}
      <Count />
      <ol class="annotation-list list">
        {shown.map((annotation) => {
          const at = list.indexOf(annotation);
          return <Row key={at} annotation={annotation} at={at} />;
        })}
      </ol>
    </section>
  );
}

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

/** The annotations on the image. All of them move with one transformation, so that thousands cost no more than one. */
export function AnnotationShapes(): VNode {
  useClicks();
  return (
    <svg class="annotation-shapes cover through" aria-hidden="true">
      <Moved>
        {shownAnnotations.value.map((annotation, index) => (
          <Shape key={index} annotation={annotation} />
        ))}
      </Moved>
    </svg>
  );
}
