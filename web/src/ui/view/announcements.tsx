/** Announces to screen readers which page is open, and the scale of the image. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import { openedNow } from '../../state/opened.ts';
import { shownLabel } from '../../state/pages.ts';
import { currentPercent } from '../../state/viewport.ts';
import { formatCount } from '../common/counts.ts';

/** Delay after the last change until it is announced, in ms. */
const pauseMs = 700;

/** The text after the delay; not the first one, since the page itself says it. */
function useAnnouncement(text: string): string {
  const announced = useSignal({ now: '', isChange: false });
  useEffect(() => {
    const before = announced.peek().now;
    if (text === before) return undefined;
    if (before === '') {
      announced.value = { now: text, isChange: false };
      return undefined;
    }
    const timer = setTimeout(() => {
      announced.value = { now: text, isChange: true };
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return announced.value.isChange ? announced.value.now : '';
}

function pageText(): string {
  const opened = openedNow();
  if (opened === undefined) return '';
  const { at, images } = opened;
  return message('page-arrived', { at, total: formatCount(images.total), label: shownLabel() });
}

export function Announcements(): VNode {
  const page = useAnnouncement(pageText());
  const size = useAnnouncement(currentPercent.value && message('zoom-arrived', { percent: currentPercent.value }));
  return (
    <div class="off-screen">
      <p role="status">{page}</p>
      <p role="status">{size}</p>
    </div>
  );
}
