/** Tells those who don't see it what has changed: which page is open, and how large the image is shown. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import { currentPercent } from '../../state/current-view.ts';
import { openedNow } from '../../state/opened.ts';
import { shownNumber } from '../common/counts.ts';

/** So long nothing must change, in ms, before it is told: not every step of a movement is news. */
const pauseMs = 700;

/** What is told: the text last given, after a pause; the first that is not empty is none, since the page itself says it. */
function useNews(text: string): string {
  const told = useSignal({ now: '', isNews: false });
  useEffect(() => {
    const before = told.peek().now;
    if (text === before) return undefined;
    if (before === '') {
      told.value = { now: text, isNews: false };
      return undefined;
    }
    const timer = setTimeout(() => {
      told.value = { now: text, isNews: true };
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return told.value.isNews ? told.value.now : '';
}

function pageNow(): string {
  const opened = openedNow();
  if (opened === undefined) return '';
  const { at, images, card } = opened;
  return message('page-arrived', { at, total: shownNumber(images.total), label: card.label });
}

export function Announcements(): VNode {
  const page = useNews(pageNow());
  const size = useNews(currentPercent.value && message('zoom-arrived', { percent: currentPercent.value }));
  return (
    <div class="off-screen">
      <p role="status">{page}</p>
      <p role="status">{size}</p>
    </div>
  );
}
