/** Notes go out as a file and come in from one, by a button or dropped. */
import { useSignal } from '@preact/signals';
import { Download, Upload } from 'lucide';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import { notes } from '../../state/notes.ts';
import { Button } from '../common/button.tsx';
import { formatFault } from './fault-text.ts';
import { type ImportAnswer, readNotesFile, saveNotes } from './notes-file.ts';

interface Told extends ImportAnswer {
  /** The file, to be read again for what was left out. */
  readonly text: string;
}

function ImportTold({ told, onAnyway }: { readonly told: Told; readonly onAnyway: () => void }): VNode {
  const { added, faults } = told;
  const ofOthers = faults.some(({ reason }) => reason === 'other-image');
  return (
    <>
      {added > 0 && <p>{added === 1 ? message('import-added-one') : message('import-added', { count: added })}</p>}
      {faults.length > 0 && (
        <ul>
          {faults.map((fault, at) => (
            <li key={at}>{formatFault(fault)}</li>
          ))}
        </ul>
      )}
      {ofOthers && added === 0 && <Button onClick={onAnyway}>{message('import-anyway')}</Button>}
    </>
  );
}

interface TakesFile {
  readonly onFile: (file: File | undefined) => void;
}

function FileButtons({ onFile }: TakesFile): VNode {
  const chooser = useRef<HTMLInputElement>(null);
  const { marks, rectangles, measures } = notes.value;
  return (
    <div class="button-row">
      <Button icon={Download} onClick={saveNotes} disabled={marks.length + rectangles.length + measures.length === 0}>
        {message('notes-export')}
      </Button>
      <Button icon={Upload} onClick={() => chooser.current?.click()}>
        {message('notes-import')}
      </Button>
      <input
        ref={chooser}
        type="file"
        class="file-chooser"
        hidden
        aria-label={message('notes-import')}
        accept=".json,.jsonld,application/json,application/ld+json"
        onChange={(event) => {
          const field = event.currentTarget;
          onFile(field.files?.[0]);
          // The same file may be read again.
          field.value = '';
        }}
      />
    </div>
  );
}

function DropPlace({ onFile }: TakesFile): VNode {
  const isOver = useSignal(false);
  const setOver = (over: boolean) => (event: DragEvent) => {
    event.preventDefault();
    isOver.value = over;
    if (event.type === 'drop') onFile(event.dataTransfer?.files[0]);
  };
  return (
    <p
      class={isOver.value ? 'drop-area over' : 'drop-area'}
      onDragOver={setOver(true)}
      onDragLeave={setOver(false)}
      onDrop={setOver(false)}
    >
      {message('notes-file-hint')}
    </p>
  );
}

export function FileSection(): VNode {
  const told = useSignal<Told | undefined>(undefined);
  const read = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const text = await file.text();
    told.value = { ...readNotesFile(text, 'ours'), text };
  };
  const readAll = (text: string): void => {
    told.value = { ...readNotesFile(text, 'all'), text };
  };
  return (
    <section class="panel-section">
      <h3>{message('notes-file')}</h3>
      <FileButtons onFile={(file) => void read(file)} />
      <DropPlace onFile={(file) => void read(file)} />
      <div class="import-result" role="status">
        {told.value && <ImportTold told={told.value} onAnyway={() => readAll(told.peek()?.text ?? '')} />}
      </div>
    </section>
  );
}
