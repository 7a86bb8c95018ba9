/** Marks and regions of the image: the tools that put them there, their texts, and their file. */
import '../../styles/notes-panel.css';
import { Circle, SquareDashed } from 'lucide';
import type { VNode } from 'preact';
import { message } from '../../messages/message.ts';
import { removeAllOf, removeLastOf } from '../../state/notes/note-edits.ts';
import { notes } from '../../state/notes/notes.ts';
import { takeTool } from '../../state/notes/sketch.ts';
import { tool } from '../../state/tools.ts';
import { Button } from '../common/button.tsx';
import { FileSection } from './file-section.tsx';
import { NoteLists } from './note-lists.tsx';
import { Notices } from './notices.tsx';
import { UndoRedo } from './undo-redo.tsx';

function Tools(): VNode {
  const current = tool.value;
  return (
    <section class="panel-section">
      <h3>{message('draw-on-image')}</h3>
      <div class="tool-buttons">
        <Button icon={Circle} tool pressed={current === 'mark'} onClick={() => takeTool('mark')}>
          {message('tool-mark')}
        </Button>
        <Button icon={SquareDashed} tool pressed={current === 'rectangle'} onClick={() => takeTool('rectangle')}>
          {message('tool-rectangle')}
        </Button>
      </div>
      {(current === 'mark' || current === 'rectangle') && <p class="tool-hint">{message(`hint-${current}`)}</p>}
    </section>
  );
}

function Deleting(): VNode | null {
  const { marks, rectangles } = notes.value;
  if (marks.length + rectangles.length === 0) return null;
  return (
    <div class="button-row">
      {marks.length > 0 && <Button onClick={() => removeLastOf('mark')}>{message('delete-last-mark')}</Button>}
      {rectangles.length > 0 && (
        <Button onClick={() => removeLastOf('rectangle')}>{message('delete-last-region')}</Button>
      )}
      <Button onClick={() => removeAllOf(['mark', 'rectangle'])}>{message('delete-all')}</Button>
    </div>
  );
}

export const NotesPanel = (): VNode => (
  <>
    <Notices />
    <Tools />
    <div class="panel-section">
      <div class="button-row">
        <UndoRedo />
      </div>
    </div>
    <div class="panel-section">
      <NoteLists />
      <Deleting />
    </div>
    <FileSection />
  </>
);
