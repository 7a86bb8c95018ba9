/** The notice that nothing can be drawn on the page beside the main one, with a button that opens it. */
import type { VNode } from 'preact';
import { message } from '../../messages/message.ts';
import { isBeside } from '../../state/notes/sketch.ts';
import { goToPage, openedNow } from '../../state/opened.ts';
import { pageBeside } from '../../state/pages.ts';
import { focusStage } from '../../state/stages.ts';
import { Button } from '../common/button.tsx';

function Notice(): VNode | null {
  const opened = openedNow();
  const page = opened && pageBeside(opened)?.page;
  if (page === undefined) return null;
  const { at } = page;
  return (
    <>
      <p>{message('beside-page', { at })}</p>
      <Button
        onClick={() => {
          void goToPage(page);
          focusStage();
        }}
      >
        {message('beside-page-go', { at })}
      </Button>
    </>
  );
}

/** Always rendered, so that screen readers announce its content. */
export const BesideNotice = (): VNode => (
  <div class="beside-notice" role="status">
    {isBeside.value && <Notice />}
  </div>
);
