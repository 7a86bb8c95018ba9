/** The notice that nothing can be drawn on the page beside the main one, with a button that opens it. */
import type { VNode } from 'preact';
import { message } from '../../messages/message.ts';
import { goToPage, openedNow } from '../../state/opened.ts';
import { isBeside } from '../../state/sketch.ts';
import { focusStage } from '../../state/stage.ts';
import { Button } from '../common/button.tsx';

function Notice(): VNode | null {
  const opened = openedNow();
  if (opened === undefined) return null;
  const at = opened.at + 1;
  return (
    <>
      <p>{message('beside-page', { at })}</p>
      <Button
        onClick={() => {
          void goToPage({ at, inner: 1 });
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
