/** Loads the layer of notes when it is needed. */
import type { VNode } from 'preact';
import { isEmpty } from '../../model/notes/own-notes.ts';
import { canRedo, canUndo, notes } from '../../state/notes/notes.ts';
import { isDrawing } from '../../state/notes/sketch.ts';
import { type PanelName, panel } from '../../state/tools.ts';
import { lazilyQuiet } from '../common/loading.tsx';

const NotesLayer = lazilyQuiet(async () => (await import('./notes-layer.tsx')).NotesLayer);

const panels: readonly (PanelName | undefined)[] = ['notes', 'measure'];

/**
 * Also with the panels, so that it has loaded before a tool is selected, and when all notes are deleted, since the layer
 * handles the undo key.
 */
export function NotesOnStage(): VNode | null {
  const isNeeded =
    panels.includes(panel.value) || isDrawing.value || canUndo.value || canRedo.value || !isEmpty(notes.value);
  return isNeeded ? <NotesLayer /> : null;
}
