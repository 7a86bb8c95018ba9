/** The annotations of the page: a list that is searched and filtered, of which one is shown on the image. */
import '../../styles/annotations.css';
import type { VNode } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import { kindsOf, type ShownAnnotation } from '../../model/notes/canvas-annotations.ts';
import {
  annotations,
  chosen,
  filter,
  followAnnotations,
  shownAnnotations,
} from '../../state/notes/page-annotations.ts';
import { showRectangle } from '../../state/viewport.ts';
import { formatCount } from '../common/counts.ts';
import { MetadataValue } from '../common/metadata-lines.tsx';
import { problemTitle } from '../common/problem.tsx';

/** The number of annotations in the list; a search finds the others. */
const maxListed = 500;

/** The smallest part of the image that is shown for a point, in fractions. */
const smallest = 0.1;

function choose(annotation: ShownAnnotation): void {
  chosen.value = annotation;
  const { bounds } = annotation;
  if (bounds === undefined) return;
  const [width, height] = [Math.max(bounds.width, smallest), Math.max(bounds.height, smallest)];
  showRectangle({
    x: bounds.x + (bounds.width - width) / 2,
    y: bounds.y + (bounds.height - height) / 2,
    width,
    height,
  });
}

function Filters(): VNode {
  const id = useId();
  const { words, kind } = filter.value;
  const kinds = kindsOf(annotations.value.list);
  return (
    <div class="annotation-filters">
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

function Row({ annotation, at }: { readonly annotation: ShownAnnotation; readonly at: number }): VNode {
  const isChosen = chosen.value === annotation;
  const { text, tags, bounds } = annotation;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    <li class={isChosen ? 'annotation chosen' : 'annotation'} ref={row}>
      <button
        type="button"
        aria-pressed={isChosen}
        aria-label={message('annotation-show', { number: at + 1 })}
        onClick={() => choose(annotation)}
      >
        {at + 1}
      </button>
      <div>
        {text !== '' && <MetadataValue paragraphs={[text]} />}
        {tags.length > 0 && (
          <p class="annotation-tags">
            {tags.map((tag, index) => (
              <span key={index}>{tag}</span>
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
      <ol class="annotation-list">
        {shown.map((annotation) => {
          const at = list.indexOf(annotation);
          return <Row key={at} annotation={annotation} at={at} />;
        })}
      </ol>
    </section>
  );
}
