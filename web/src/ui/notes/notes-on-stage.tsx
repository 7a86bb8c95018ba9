/** Brings the layer of notes when there is something for it to show. */
import type { VNode } from 'preact';
import { isEmpty } from '../../model/notes.ts';
import { canRedo, canUndo, notes } from '../../state/notes.ts';
import { isDrawing } from '../../state/sketch.ts';
import { lazilyQuiet } from '../lazy.tsx';

const NotesLayer = lazilyQuiet(async () => (await import('./notes-layer.tsx')).NotesLayer);

/** Also where all has been deleted, since the way back is a key of the layer's. */
export function NotesOnStage(): VNode | null {
  const isNeeded = isDrawing.value || canUndo.value || canRedo.value || !isEmpty(notes.value);
  return isNeeded ? <NotesLayer /> : null;
}
