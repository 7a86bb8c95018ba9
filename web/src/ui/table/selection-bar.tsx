/** How many images are selected, and what can be done with them. */
import { Download, ExternalLink, ListChecks, X } from 'lucide';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ImageCard } from '../../../../src/image/folder/folder-listing.ts';
import { message } from '../../messages/message.ts';
import { Button } from '../common/button.tsx';
import { CopyButton } from '../common/copy.tsx';
import { shownNumber } from '../common/counts.ts';
import { addressLines, downloadList, infoLines } from './chosen-images.ts';
import type { FolderParts } from './folder-parts.ts';
import { allOrNone, inOrder, noSelection } from './selection.ts';
import type { TableState } from './table-state.ts';

interface SelectionBarProps {
  readonly folder: string;
  readonly parts: FolderParts;
  readonly state: TableState;
  readonly total: number;
  readonly onOpen: (cell: number) => void;
}

const isThere = (card: ImageCard | undefined): card is ImageCard => card !== undefined;

interface ToolsProps extends SelectionBarProps {
  readonly cells: readonly number[];
}

function Tools({ folder, parts, cells, onOpen }: ToolsProps): VNode {
  const images = cells.map(parts.cardAt).filter(isThere);
  const [only] = cells;
  if (images.length < cells.length) {
    return (
      <span class="note">{message('selection-loading', { count: shownNumber(cells.length - images.length) })}</span>
    );
  }
  return (
    <>
      {cells.length === 1 && only !== undefined && (
        <Button primary icon={ExternalLink} onClick={() => onOpen(only)}>
          {message('open-selected')}
        </Button>
      )}
      <CopyButton
        text={() => addressLines(images)}
        name={message('copy-addresses')}
        label={message('copy-addresses')}
      />
      <CopyButton
        text={() => infoLines(images)}
        name={message('copy-info-addresses')}
        label={message('copy-info-addresses')}
      />
      <Button icon={Download} onClick={() => downloadList(images, folder, 'json')}>
        {message('download-list')}
      </Button>
      <Button icon={Download} onClick={() => downloadList(images, folder, 'csv')}>
        {message('download-csv')}
      </Button>
    </>
  );
}

export function SelectionBar(props: SelectionBarProps): VNode {
  const { parts, state, total } = props;
  const cells = inOrder(state.selection.value);
  const someMissing = cells.some((cell) => parts.cardAt(cell) === undefined);
  useEffect(() => {
    if (someMissing) parts.want(cells);
  }, [someMissing, state.selection.value, parts]);
  const clear = (): void => {
    state.selection.value = noSelection;
  };
  const selectAll = (): void => {
    state.selection.value = allOrNone(noSelection, total);
  };
  return (
    <section class="selection-bar" aria-label={message('selection-tools')}>
      <p role="status">
        {cells.length === 0 ? message('table-hint') : message('selected-count', { count: shownNumber(cells.length) })}
      </p>
      {cells.length > 0 && <Tools {...props} cells={cells} />}
      {cells.length < total && (
        <Button icon={ListChecks} onClick={selectAll}>
          {message('select-all')}
        </Button>
      )}
      {cells.length > 0 && (
        <Button icon={X} onClick={clear}>
          {message('clear-selection')}
        </Button>
      )}
    </section>
  );
}
