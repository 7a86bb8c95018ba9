/** The number of selected images, and actions on them. */
import { Columns2, Download, ExternalLink, ListChecks, X } from 'lucide';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import { maxCompared } from '../../model/address/comparison.ts';
import { compareViewsRoute } from '../../model/address/routes.ts';
import { plainView } from '../../model/view-state.ts';
import type { FolderImages } from '../../state/folder-images.ts';
import { Button } from '../common/button.tsx';
import { CopyButton } from '../common/copy.tsx';
import { formatCount } from '../common/counts.ts';
import { Icon } from '../common/icon.tsx';
import { RouteLink } from '../common/route-link.tsx';
import { TakeLink } from '../common/take-along.tsx';
import { addressLines, downloadList, infoLines } from './chosen-images.ts';
import { allOrNone, inOrder, noSelection } from './selection.ts';
import type { TableState } from './table-state.ts';

interface SelectionBarProps {
  readonly folder: string;
  readonly images: FolderImages;
  readonly state: TableState;
  readonly onOpen: (cell: number) => void;
}

interface ToolsProps extends SelectionBarProps {
  readonly cells: readonly number[];
}

function Tools({ folder, images, cells, onOpen }: ToolsProps): VNode {
  const cards = cells.map((cell) => images.cardAt(cell + 1)).filter((card) => card !== undefined);
  const [only] = cells;
  const positions = cells.map((cell) => cell + 1);
  if (cards.length < cells.length) {
    return (
      <span class="note">{message('selection-loading', { count: formatCount(cells.length - cards.length) })}</span>
    );
  }
  return (
    <>
      {cells.length === 1 && only !== undefined && (
        <Button primary icon={ExternalLink} onClick={() => onOpen(only)}>
          {message('open-selected')}
        </Button>
      )}
      {cells.length > 1 && cells.length <= maxCompared && (
        <RouteLink class="button primary" to={compareViewsRoute(cards.map(({ path }) => plainView(path)))}>
          <Icon of={Columns2} size={16} />
          {message('compare-selected')}
        </RouteLink>
      )}
      <CopyButton text={() => addressLines(cards)} name={message('copy-addresses')} label={message('copy-addresses')} />
      <CopyButton
        text={() => infoLines(cards)}
        name={message('copy-info-addresses')}
        label={message('copy-info-addresses')}
      />
      <TakeLink form="pdf" folder={folder} at={positions} name="PDF" title={message('pdf-selected')} />
      <TakeLink form="zip" folder={folder} at={positions} name={message('zip-selected')} />
      <Button icon={Download} onClick={() => downloadList(cards, folder, 'json')}>
        {message('download-list')}
      </Button>
      <Button icon={Download} onClick={() => downloadList(cards, folder, 'csv')}>
        {message('download-csv')}
      </Button>
    </>
  );
}

export function SelectionBar(props: SelectionBarProps): VNode {
  const { images, state } = props;
  const { total } = images;
  const cells = inOrder(state.selection.value);
  const someMissing = cells.some((cell) => images.cardAt(cell + 1) === undefined);
  useEffect(() => {
    if (someMissing) images.need(cells.map((cell) => cell + 1));
  }, [someMissing, state.selection.value, images]);
  const clear = (): void => {
    state.selection.value = noSelection;
  };
  const selectAll = (): void => {
    state.selection.value = allOrNone(noSelection, total);
  };
  return (
    <section class="selection-bar" aria-label={message('selection-tools')}>
      <p role="status">
        {cells.length === 0 ? message('table-hint') : message('selected-count', { count: formatCount(cells.length) })}
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
