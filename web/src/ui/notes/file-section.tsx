/** Export and import of notes as files, by buttons or by drag and drop. */
import { useSignal } from '@preact/signals';
import { Download, Table, Upload } from 'lucide';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { countedMessage, message } from '../../messages/message.ts';
import { notes } from '../../state/notes/notes.ts';
import { Button } from '../common/button.tsx';
import { formatFault } from '../common/words.ts';
import { type ImportAnswer, readNotesFile, saveNotes, saveNotesTable } from './notes-file.ts';

interface Imported extends ImportAnswer {
  /** The text of the file, for importing what was left out. */
  readonly text: string;
}

function ImportResult({ result, onAnyway }: { readonly result: Imported; readonly onAnyway: () => void }): VNode {
  const { added, known, faults } = result;
  const ofOthers = faults.some(({ reason }) => reason === 'other-image');
  return (
    <>
      {added > 0 && <p>{countedMessage('import-added', added)}</p>}
      {known > 0 && <p>{countedMessage('import-known', known)}</p>}
      {faults.length > 0 && (
        <ul>
          {faults.map((fault, at) => (
            <li key={at}>{formatFault(fault)}</li>
          ))}
        </ul>
      )}
      {ofOthers && added + known === 0 && <Button onClick={onAnyway}>{message('import-anyway')}</Button>}
    </>
  );
}

interface FileInputProps {
  readonly onFile: (file: File | undefined) => void;
}

function FileButtons({ onFile }: FileInputProps): VNode {
  const chooser = useRef<HTMLInputElement>(null);
  const { marks, rectangles, measures } = notes.value;
  return (
    <div class="button-row">
      <Button icon={Download} onClick={saveNotes} disabled={marks.length + rectangles.length + measures.length === 0}>
        {message('notes-export')}
      </Button>
      {marks.length + rectangles.length > 0 && (
        <Button icon={Table} onClick={saveNotesTable}>
          {message('notes-table')}
        </Button>
      )}
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
          // So that the same file can be chosen again.
          field.value = '';
        }}
      />
    </div>
  );
}

function DropArea({ onFile }: FileInputProps): VNode {
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
  const result = useSignal<Imported | undefined>(undefined);
  const read = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const text = await file.text();
    result.value = { ...readNotesFile(text, 'ours'), text };
  };
  const readAll = (text: string): void => {
    result.value = { ...readNotesFile(text, 'all'), text };
  };
  return (
    <section class="panel-section">
      <h3>{message('notes-file')}</h3>
      <FileButtons onFile={(file) => void read(file)} />
      <DropArea onFile={(file) => void read(file)} />
      <div class="import-result" role="status">
        {result.value && <ImportResult result={result.value} onAnyway={() => readAll(result.peek()?.text ?? '')} />}
      </div>
    </section>
  );
}
