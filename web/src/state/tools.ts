/** The open panel, the selected tool and the open dialog. */
import { effect, signal } from '@preact/signals';

export type PanelName = 'adjust' | 'notes' | 'measure' | 'cite' | 'about' | 'annotations' | 'text' | 'search';

export const panel = signal<PanelName | undefined>(undefined);

/** What the pointer does on the image. */
export type ToolName =
  | 'move'
  | 'zoom-area'
  | 'mark'
  | 'rectangle'
  | 'magnifier'
  | 'line'
  | 'path'
  | 'angle'
  | 'polygon'
  | 'box'
  | 'circle'
  | 'ellipse'
  | 'oval'
  | 'grid'
  | 'intercolumniation'
  | 'proportion'
  /** A line of known length, which sets the scale. */
  | 'reference-length'
  /** A point by which compared images are aligned. */
  | 'align';

export const tool = signal<ToolName>('move');

/** The panel that a tool belongs to; undefined for the tools of the bars around the image. */
function panelOf(name: ToolName): PanelName | undefined {
  if (name === 'move' || name === 'zoom-area' || name === 'magnifier' || name === 'align') return undefined;
  return name === 'mark' || name === 'rectangle' ? 'notes' : 'measure';
}

// A panel that is left takes its tool along, so that the next drag moves the image.
effect(() => {
  const open = panel.value;
  const owner = panelOf(tool.peek());
  if (owner !== undefined && owner !== open) tool.value = 'move';
});

export const togglePanel = (name: PanelName): void => {
  panel.value = panel.peek() === name ? undefined : name;
};

export const toggleTool = (name: ToolName): void => {
  tool.value = tool.peek() === name ? 'move' : name;
};

export type DialogName = 'keyboard' | 'calibration';

export const dialog = signal<DialogName | undefined>(undefined);

export const openDialog = (name: DialogName): void => {
  dialog.value = name;
};

export const closeDialog = (): void => {
  dialog.value = undefined;
};
