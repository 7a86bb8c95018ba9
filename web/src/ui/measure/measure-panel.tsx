/** The panel for measuring: tools, unit, measurements and scale. */
import '../../styles/notes-panel.css';
import {
  Circle,
  Grid3x3,
  type IconNode,
  Proportions,
  Slash,
  Spline,
  Square,
  TriangleRight,
  VectorSquare,
} from 'lucide';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import type { MessageKey } from '../../messages/messages.ts';
import { loadSiteUnits, unitChoice } from '../../state/notes/scale.ts';
import { takeTool } from '../../state/notes/sketch.ts';
import { type ToolName, tool } from '../../state/tools.ts';
import { Button } from '../common/button.tsx';
import { Notices } from '../notes/notices.tsx';
import { UndoRedo } from '../notes/undo-redo.tsx';
import { MeasureList } from './measure-list.tsx';
import { ScaleSection } from './scale-section.tsx';
import { UnitSelect } from './unit-select.tsx';

interface Choice {
  readonly tool: ToolName;
  readonly icon: IconNode;
  readonly name: MessageKey;
  readonly hint: MessageKey;
}

/** Lucide has no ellipse, no oval of arcs, and no columns. */
const ellipse: IconNode = [['ellipse', { cx: '12', cy: '12', rx: '10', ry: '6' }]];
const oval: IconNode = [
  ['path', { d: 'M7 6.5a17 17 0 0 1 10 0a5.6 5.6 0 0 1 0 11a17 17 0 0 1-10 0a5.6 5.6 0 0 1 0-11Z' }],
];
const columns: IconNode = [['path', { d: 'M3 4h6M3 20h6M4 4v16M8 4v16M15 4h6M15 20h6M16 4v16M20 4v16' }]];

const choices: readonly Choice[] = [
  { tool: 'line', icon: Slash, name: 'measure-line', hint: 'hint-two-points' },
  { tool: 'path', icon: Spline, name: 'measure-path', hint: 'hint-many-points' },
  { tool: 'angle', icon: TriangleRight, name: 'measure-angle', hint: 'hint-angle' },
  { tool: 'polygon', icon: VectorSquare, name: 'measure-polygon', hint: 'hint-many-points' },
  { tool: 'box', icon: Square, name: 'measure-rectangle', hint: 'hint-two-points' },
  { tool: 'circle', icon: Circle, name: 'measure-circle', hint: 'hint-circle' },
  { tool: 'ellipse', icon: ellipse, name: 'measure-ellipse', hint: 'hint-ellipse' },
  { tool: 'oval', icon: oval, name: 'measure-oval', hint: 'hint-oval' },
  { tool: 'grid', icon: Grid3x3, name: 'measure-grid', hint: 'hint-grid' },
  {
    tool: 'intercolumniation',
    icon: columns,
    name: 'measure-intercolumniation',
    hint: 'hint-intercolumniation',
  },
  { tool: 'proportion', icon: Proportions, name: 'measure-proportion', hint: 'hint-proportion' },
];

function Tools(): VNode {
  const chosen = choices.find((choice) => choice.tool === tool.value);
  return (
    <section class="panel-section">
      <h3>{message('measure-tools')}</h3>
      <div class="tool-buttons">
        {choices.map(({ tool: name, icon, name: text }) => (
          <Button key={name} icon={icon} tool pressed={tool.value === name} onClick={() => takeTool(name)}>
            {message(text)}
          </Button>
        ))}
      </div>
      {chosen && <p class="tool-hint">{message(chosen.hint)}</p>}
    </section>
  );
}

export function MeasurePanel(): VNode {
  useEffect(loadSiteUnits, []);
  return (
    <>
      <Notices />
      <Tools />
      <section class="panel-section">
        <h3>{message('unit')}</h3>
        <UnitSelect
          label={message('unit')}
          isHeaded
          value={unitChoice.value}
          hasAutomatic
          onChange={(key) => {
            unitChoice.value = key;
          }}
        />
      </section>
      <section class="panel-section">
        <h3>{message('measure-list')}</h3>
        <div class="button-row">
          <UndoRedo />
        </div>
        <MeasureList />
      </section>
      <ScaleSection />
    </>
  );
}
