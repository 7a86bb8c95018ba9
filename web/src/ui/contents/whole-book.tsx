/** A book as a whole in place of the stage: its pages as small pictures, one below the other, or in a row. */
import { Minus, Plus } from 'lucide';
import type { VNode } from 'preact';
import { message } from '../../messages/messages.ts';
import type { PageLayout } from '../../model/view-state.ts';
import type { Opened } from '../../state/opened.ts';
import { scrolledWidth, zoomIn, zoomOut } from '../../state/viewport.ts';
import { IconButton } from '../common/button.tsx';
import { formatPercent } from '../common/words.ts';
import { Gallery } from './gallery.tsx';
import { PageRow } from './page-row.tsx';
import { PageScroll } from './page-scroll.tsx';

interface WholeBookProps {
  readonly opened: Opened;
  readonly layout: PageLayout;
}

const ScrollZoom = (): VNode => (
  <div class="zoom-bar floating row">
    <IconButton icon={Minus} name={message('zoom-out')} shortcut="-" onClick={zoomOut} />
    <span class="zoom-percent muted tabular">{formatPercent(scrolledWidth.value)}</span>
    <IconButton icon={Plus} name={message('zoom-in')} shortcut="+" onClick={zoomIn} />
  </div>
);

export const WholeBook = ({ opened, layout }: WholeBookProps): VNode =>
  layout === 'gallery' ? (
    <Gallery key={opened.folder.path} opened={opened} />
  ) : (
    <>
      {opened.folder.behavior.includes('continuous') ? (
        <PageRow key={opened.folder.path} opened={opened} />
      ) : (
        <PageScroll key={opened.folder.path} opened={opened} />
      )}
      <ScrollZoom />
    </>
  );
