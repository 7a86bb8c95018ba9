/** Brings the layer of notes when there is something for it to show. */
import type { VNode } from 'preact';
import { isEmpty } from '../../model/notes.ts';
import { canRedo, canUndo, notes } from '../../state/notes.ts';
import { isDrawing } from '../../state/sketch.ts';
import { type PanelName, panel } from '../../state/tools.ts';
import { lazilyQuiet } from '../common/lazy.tsx';

const NotesLayer = lazilyQuiet(async () => (await import('./notes-layer.tsx')).NotesLayer);

const panels: readonly (PanelName | undefined)[] = ['notes', 'measure'];

/**
 * With the panels too, so that it is there before a tool is; and where all has been deleted, since the way back is a key
 * of the layer's.
 */
export function NotesOnStage(): VNode | null {
  const isNeeded =
    panels.includes(panel.value) || isDrawing.value || canUndo.value || canRedo.value || !isEmpty(notes.value);
  return isNeeded ? <NotesLayer /> : null;
}
