/** The shortcuts of a comparison. */
import type { Layout } from '../../model/address/comparison.ts';
import { toggleNotes } from '../../state/notes/notes.ts';
import { takeTool } from '../../state/notes/sketch.ts';
import { flushViewport, focusStage } from '../../state/stages.ts';
import { togglePanel } from '../../state/tools.ts';
import { active, arrange, arrangement, setActive, views } from '../../state/view.ts';
import { showMode } from '../../state/viewport.ts';
import { closingShortcuts, pan, type Shortcut, turningShortcuts, zoomShortcuts } from '../view/keyboard.ts';

const layout = (name: Layout) => (): void => {
  if (views.peek().length > 1) arrange({ layout: name });
};

export const toggleTogether = (): void => arrange({ together: !arrangement.peek().together });

function selectNext(): void {
  if (views.peek().length === 0) return;
  flushViewport();
  setActive((active.peek() + 1) % views.peek().length);
  focusStage();
}

/** In the order of the help. */
export const compareShortcuts: readonly Shortcut[] = [
  { keys: ['n'], name: 'compare-next-image', act: selectNext },
  { keys: ['s'], name: 'layout-beside', act: layout('beside') },
  { keys: ['e'], name: 'layout-slider', act: layout('slider') },
  { keys: ['b'], name: 'layout-blend', act: layout('blend') },
  { keys: ['u'], name: 'layout-difference', act: layout('difference') },
  { keys: ['g'], name: 'compare-together', act: toggleTogether },
  { keys: ['p'], name: 'tool-align', act: () => takeTool('align') },
  { keys: ['ArrowLeft'], name: 'pan-left', act: pan(-1, 0) },
  { keys: ['ArrowRight'], name: 'pan-right', act: pan(1, 0) },
  { keys: ['ArrowUp'], name: 'pan-up', act: pan(0, -1) },
  { keys: ['ArrowDown'], name: 'pan-down', act: pan(0, 1) },
  ...zoomShortcuts,
  { keys: ['1'], name: 'one-to-one', act: () => showMode('pixels') },
  ...turningShortcuts,
  { keys: ['a'], name: 'panel-adjust', act: () => togglePanel('adjust') },
  { keys: ['m'], name: 'panel-notes', act: () => togglePanel('notes') },
  { keys: ['d'], name: 'panel-measure', act: () => togglePanel('measure') },
  { keys: ['i'], name: 'panel-about', act: () => togglePanel('about') },
  { keys: ['x'], name: 'notes-toggle', act: toggleNotes },
  ...closingShortcuts,
];
