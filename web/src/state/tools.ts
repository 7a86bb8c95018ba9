/** Which panel is open and which tool the pointer has. */
import { signal } from '@preact/signals';

/** What opens at the side. */
export type PanelName = 'adjust' | 'notes' | 'measure' | 'cite' | 'about';

export const panel = signal<PanelName | undefined>(undefined);

/** What the pointer does on the image: it moves it, or draws. */
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
  /** A line whose length the reader knows. */
  | 'reference-length';

export const tool = signal<ToolName>('move');

export const togglePanel = (name: PanelName): void => {
  panel.value = panel.peek() === name ? undefined : name;
};

export const toggleTool = (name: ToolName): void => {
  tool.value = tool.peek() === name ? 'move' : name;
};

/** A window above the page. */
export type DialogName = 'keyboard' | 'calibration';

export const dialog = signal<DialogName | undefined>(undefined);

export const openDialog = (name: DialogName): void => {
  dialog.value = name;
};

export const closeDialog = (): void => {
  dialog.value = undefined;
};
