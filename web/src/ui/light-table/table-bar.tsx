/** The tools of the light table as a whole: to add, to go back, to see, to save and share. */
import {
  BoxSelect,
  Download,
  FolderOpen,
  ImagePlus,
  Keyboard,
  ListChecks,
  MessageSquareShare,
  Redo2,
  Ruler,
  Scan,
  Share2,
  StickyNote,
  Undo2,
  ZoomIn,
  ZoomOut,
} from 'lucide';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { tableMessage } from '../../messages/light-table-messages.ts';
import { message } from '../../messages/messages.ts';
import { lightTableRoute } from '../../model/address/routes.ts';
import { tablePairs } from '../../model/light-table/table-query.ts';
import {
  beyondAddress,
  canRedo,
  canUndo,
  items,
  redo,
  showAll,
  table,
  undo,
  zoomBy,
} from '../../state/light-table/table.ts';
import { addressOfRoute } from '../../state/route.ts';
import { Button, IconButton } from '../common/button.tsx';
import { DropDown } from '../common/dialog.tsx';
import { moveByArrows, useOneStop } from '../common/elements.ts';
import { OpenFileButton } from '../common/open-file-button.tsx';
import { CopyButton } from '../common/take-along.tsx';
import { addNote, isAdding, said, selectAll, selectsSeveral, showsKeys, showTrueSize } from './commands.ts';
import { openTableFile, saveAnnotations, saveTable } from './files.ts';

const zoomStep = 1.4;

/** The address of the table as it is now, which the browser's own address follows after a pause. */
const addressNow = (): string => addressOfRoute(lightTableRoute(tablePairs(table.peek())));

/** Opens a file that the reader chooses. */
export function OpenFile(): VNode {
  const read = async (file: File | undefined): Promise<void> => {
    if (file !== undefined) said.value = (await openTableFile(file)) ? '' : tableMessage('no-table');
  };
  return (
    <OpenFileButton
      icon={FolderOpen}
      name={tableMessage('open-file')}
      accept=".json,application/json,application/ld+json"
      onFile={(file) => void read(file)}
    />
  );
}

function FileMenu(): VNode {
  const hasNone = items.value.length === 0;
  return (
    <DropDown icon={Share2} name={tableMessage('file')}>
      <CopyButton text={addressNow} name={tableMessage('copy-address')} label={tableMessage('copy-address')} />
      {beyondAddress.value > 0 && <p class="note">{tableMessage('too-long', { count: beyondAddress.value })}</p>}
      <Button icon={Download} disabled={hasNone} onClick={saveTable}>
        {tableMessage('save-file')}
      </Button>
      <Button icon={MessageSquareShare} disabled={hasNone} onClick={saveAnnotations}>
        {tableMessage('save-annotations')}
      </Button>
      <OpenFile />
    </DropDown>
  );
}

export function TableBar(): VNode {
  const row = useRef<HTMLDivElement>(null);
  useOneStop(row);
  return (
    <div class="table-bar row">
      <div
        class="table-bar-tools row"
        role="toolbar"
        aria-label={tableMessage('tools')}
        ref={row}
        onKeyDown={moveByArrows}
      >
        <IconButton
          icon={ImagePlus}
          name={tableMessage('add')}
          shortcut="A"
          onClick={() => {
            isAdding.value = true;
          }}
        />
        <IconButton icon={StickyNote} name={tableMessage('add-note')} shortcut="N" onClick={addNote} />
        <span class="bar-gap" />
        <IconButton icon={Undo2} name={message('undo')} shortcut="Ctrl+Z" disabled={!canUndo.value} onClick={undo} />
        <IconButton
          icon={Redo2}
          name={message('redo')}
          shortcut="Ctrl+Shift+Z"
          disabled={!canRedo.value}
          onClick={redo}
        />
        <span class="bar-gap" />
        <IconButton icon={ZoomOut} name={message('zoom-out')} shortcut="-" onClick={() => zoomBy(1 / zoomStep)} />
        <IconButton icon={ZoomIn} name={message('zoom-in')} shortcut="+" onClick={() => zoomBy(zoomStep)} />
        <IconButton icon={Scan} name={tableMessage('all')} shortcut="0" onClick={showAll} />
        <IconButton icon={Ruler} name={tableMessage('at-true-size')} shortcut="1" onClick={showTrueSize} />
        <span class="bar-gap" />
        <IconButton
          icon={BoxSelect}
          name={tableMessage('several')}
          pressed={selectsSeveral.value}
          onClick={() => {
            selectsSeveral.value = !selectsSeveral.peek();
          }}
        />
        <IconButton icon={ListChecks} name={tableMessage('select-all')} shortcut="Ctrl+A" onClick={selectAll} />
        <IconButton
          class="not-on-phones"
          icon={Keyboard}
          name={message('keyboard')}
          shortcut="?"
          onClick={() => {
            showsKeys.value = true;
          }}
        />
      </div>
      <FileMenu />
    </div>
  );
}
