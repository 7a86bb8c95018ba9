/** The chapter of the open page in the bar: a button for the contents. */
import type { VNode } from 'preact';
import { message } from '../../messages/messages.ts';
import { currentChapter } from '../../state/contents.ts';
import { isPlayed, panel, togglePanel } from '../../state/tools.ts';

export function ChapterNow(): VNode | null {
  const chapter = currentChapter.value;
  // Of sound and video, the player says which chapter is played.
  if (chapter === undefined || isPlayed.value) return null;
  const { label } = chapter.entry;
  return (
    <button
      type="button"
      class="chapter-now muted clip"
      aria-label={message('chapter-now', { label })}
      aria-expanded={panel.value === 'contents'}
      title={chapter.way.join(' › ')}
      onClick={() => togglePanel('contents')}
    >
      {label}
    </button>
  );
}
