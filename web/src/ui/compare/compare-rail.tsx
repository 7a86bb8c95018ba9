/** The panels for the active one of the compared images. */
import type { VNode } from 'preact';
import type { PanelName } from '../../state/tools.ts';
import { PanelButtons, ToolRow } from '../common/tool-row.tsx';

const names: readonly PanelName[] = ['adjust', 'notes', 'measure', 'about'];

export const comparePanels: ReadonlySet<PanelName> = new Set(names);

export const CompareRail = (): VNode => (
  <ToolRow>
    <PanelButtons names={names} />
  </ToolRow>
);
