/** The open panel, the selected tool and the open dialog. */
import { signal } from '@preact/signals';

export type PanelName = 'adjust' | 'notes' | 'measure' | 'cite' | 'about';

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
  | 'proportion'
  /** A line of known length, which sets the scale. */
  | 'reference-length';

export const tool = signal<ToolName>('move');

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
