/** How to align images by points, while the reader sets them. */
import type { VNode } from 'preact';
import { message } from '../../messages/message.ts';
import { pointsAt } from '../../model/address/comparison.ts';
import { endAligning, isAligning, removeAlignment } from '../../state/notes/sketch.ts';
import { arrangement, views } from '../../state/view.ts';
import { Button } from '../common/button.tsx';

export function AlignHint(): VNode | null {
  if (!isAligning.value) return null;
  const counts = views.value.map((_, index) => pointsAt(arrangement.value, index).length);
  return (
    <section class="align-hint" aria-label={message('tool-align')}>
      <p>{message('align-how')}</p>
      <p role="status">
        {counts.map((count, index) => message('align-progress', { number: index + 1, count })).join(' · ')}
      </p>
      <div class="button-row">
        <Button primary onClick={endAligning}>
          {message('align-done')}
        </Button>
        <Button disabled={counts.every((count) => count === 0)} onClick={removeAlignment}>
          {message('align-remove')}
        </Button>
      </div>
    </section>
  );
}
