/** The marks on the image: rings around their places, with their numbers. */
import type { VNode } from 'preact';
import { onImage } from '../../model/aim.ts';
import type { Mark } from '../../model/view-state.ts';
import { moveMark, remove } from '../../state/note-edits.ts';
import { isSelected, notes, selected } from '../../state/notes.ts';
import { focusStage } from '../../state/stage.ts';
import { nameOfNote } from '../notes/note-names.ts';
import { Handle } from './handle.tsx';

function MarkPlace({ mark, at }: { readonly mark: Mark; readonly at: number }): VNode {
  const select = (): void => {
    selected.value = { kind: 'mark', at };
  };
  const leave = (): void => {
    remove({ kind: 'mark', at });
    focusStage();
  };
  return (
    <Handle
      at={mark}
      name={nameOfNote('mark-name', at, mark.text)}
      class="mark-place"
      isSelected={isSelected('mark', at)}
      onClick={select}
      onMove={(to, of) => {
        select();
        moveMark(at, onImage(to), of);
      }}
      onDelete={leave}
    >
      <span class="note-number">{at + 1}</span>
      {mark.text && <span class="note-tip">{mark.text}</span>}
    </Handle>
  );
}

export const MarkPlaces = (): VNode => (
  <>
    {notes.value.marks.map((mark, at) => (
      <MarkPlace key={at} mark={mark} at={at} />
    ))}
  </>
);
