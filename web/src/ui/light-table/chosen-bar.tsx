/** What is selected on the light table: its size and turn, the text of a note, and what can be done with it. */
import {
  BringToFront,
  ExternalLink,
  Group,
  RotateCcw,
  RotateCw,
  SendToBack,
  Trash2,
  Ungroup,
  ZoomIn,
  ZoomOut,
} from 'lucide';
import type { VNode } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { tableMessage } from '../../messages/light-table-messages.ts';
import { message } from '../../messages/messages.ts';
import {
  chosen,
  type TableImage,
  type TableItem,
  type TableNote,
  widths,
  withText,
} from '../../model/light-table/table.ts';
import { maxNote } from '../../model/light-table/table-query.ts';
import { change, items, selection, targets } from '../../state/light-table/table.ts';
import { problemAt } from '../../state/light-table/table-images.ts';
import { Button, IconButton } from '../common/button.tsx';
import { useOwnText } from '../common/elements.ts';
import {
  groupChosen,
  openItem,
  removeChosen,
  said,
  scaleBy,
  stack,
  toTrueSize,
  turnBy,
  turnTo,
  ungroupChosen,
  widen,
  writesNote,
} from './commands.ts';
import { nameOf, sizeWords } from './words.ts';

interface NumberFieldProps {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly onNumber: (value: number) => void;
}

/** A number that counts when it is left, or by Enter: half of a typed number is none. */
function NumberField({ label, value, min, max, onNumber }: NumberFieldProps): VNode {
  const id = useId();
  const text = String(Math.round(value * 10) / 10);
  const own = useOwnText<HTMLInputElement>(text);
  return (
    <span class="number-field row">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="number"
        step="any"
        min={min}
        max={max}
        {...own}
        defaultValue={text}
        onChange={({ currentTarget }) => {
          const typed = currentTarget.valueAsNumber;
          if (Number.isFinite(typed) && typed >= min && typed <= max) onNumber(typed);
          else currentTarget.value = text;
        }}
      />
    </span>
  );
}

function NoteField({ note }: { readonly note: TableNote }): VNode {
  const field = useRef<HTMLTextAreaElement>(null);
  // Before the next key, which is the first letter.
  useLayoutEffect(() => {
    if (writesNote.value > 0) field.current?.focus();
    writesNote.value = 0;
  }, [writesNote.value, note.key]);
  return (
    <textarea
      ref={field}
      rows={2}
      maxLength={maxNote}
      aria-label={tableMessage('note-text')}
      placeholder={tableMessage('note-text')}
      value={note.text}
      onInput={({ currentTarget }) => change(withText(items.peek(), note.key, currentTarget.value), `text ${note.key}`)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        document.querySelector<HTMLElement>('.table-list')?.focus();
      }}
    />
  );
}

const ImageFields = ({ image }: { readonly image: TableImage }): VNode => (
  <>
    <p class="chosen-name">
      <strong class="clip">{nameOf(image)}</strong>
      <small>{sizeWords(image)}</small>
    </p>
    <NumberField
      label={tableMessage('width')}
      value={image.width}
      min={widths.min}
      max={widths.max}
      onNumber={(width) => widen(image, width)}
    />
    <NumberField
      label={tableMessage('turn')}
      value={image.rotation}
      min={-360}
      max={360}
      onNumber={(degrees) => turnTo(image, degrees)}
    />
  </>
);

function Fields({ all }: { readonly all: readonly TableItem[] }): VNode {
  const [only] = all;
  if (all.length === 1 && only?.kind === 'note') return <NoteField key={only.key} note={only} />;
  if (all.length === 1 && only?.kind === 'image') return <ImageFields key={only.key} image={only} />;
  return (
    <p class="chosen-name">
      {all.length === 0 ? tableMessage('selected-none') : tableMessage('selected', { count: all.length })}
    </p>
  );
}

export function ChosenBar(): VNode {
  const all = chosen(items.value, targets.value);
  const [only] = all;
  const hasNone = all.length === 0;
  const images = all.filter(({ kind }) => kind === 'image');
  const canGroup =
    selection.value.size > 1 && new Set(all.map(({ group }) => group)).size + (all[0]?.group ? 0 : 1) > 1;
  const unshown = items.value.filter((item) => item.kind === 'image' && problemAt(item.path) !== undefined).length;
  return (
    <section class="chosen-bar row wrap" aria-label={tableMessage('chosen-tools')}>
      <div class="chosen-fields row wrap">
        <Fields all={all} />
      </div>
      <div class="chosen-tools row">
        <Button disabled={items.value.length === 0} onClick={toTrueSize}>
          {message('true-size')}
        </Button>
        <IconButton
          icon={RotateCcw}
          name={tableMessage('turn-left')}
          shortcut="["
          disabled={images.length === 0}
          onClick={() => turnBy(-5)}
        />
        <IconButton
          icon={RotateCw}
          name={tableMessage('turn-right')}
          shortcut="]"
          disabled={images.length === 0}
          onClick={() => turnBy(5)}
        />
        <IconButton
          icon={ZoomOut}
          name={tableMessage('smaller')}
          shortcut=","
          disabled={hasNone}
          onClick={() => scaleBy(1 / 1.1)}
        />
        <IconButton
          icon={ZoomIn}
          name={tableMessage('larger')}
          shortcut="."
          disabled={hasNone}
          onClick={() => scaleBy(1.1)}
        />
        <IconButton
          icon={BringToFront}
          name={tableMessage('front')}
          shortcut="PageUp"
          disabled={hasNone}
          onClick={() => stack('front')}
        />
        <IconButton
          icon={SendToBack}
          name={tableMessage('back')}
          shortcut="PageDown"
          disabled={hasNone}
          onClick={() => stack('back')}
        />
        <IconButton icon={Group} name={tableMessage('group')} shortcut="G" disabled={!canGroup} onClick={groupChosen} />
        <IconButton
          icon={Ungroup}
          name={tableMessage('ungroup')}
          shortcut="Shift+G"
          disabled={all.every(({ group }) => group === 0)}
          onClick={ungroupChosen}
        />
        <IconButton
          icon={ExternalLink}
          name={tableMessage('open')}
          shortcut="Enter"
          disabled={all.length !== 1 || only?.kind !== 'image'}
          onClick={() => openItem(only)}
        />
        <IconButton
          icon={Trash2}
          name={tableMessage('remove')}
          shortcut="Delete"
          disabled={hasNone}
          onClick={removeChosen}
        />
      </div>
      <p class="chosen-said" role="status">
        {[said.value, unshown > 0 ? tableMessage('unshown-images', { count: unshown }) : ''].filter(Boolean).join(' ')}
      </p>
    </section>
  );
}
