/**
 * The bars around compared images: their layouts and links, the panels of the active one, the points that align them,
 * the edge between two.
 */
import {
  Blend,
  Columns2,
  Crosshair,
  Diff,
  type IconNode,
  Keyboard,
  Link2,
  Maximize,
  Plus,
  SquareSplitHorizontal,
} from 'lucide';
import type { VNode } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { message } from '../../messages/messages.ts';
import { type Layout, maxCompared, pointsAt, validPair } from '../../model/address/comparison.ts';
import { compareRoute } from '../../model/address/routes.ts';
import { endAligning, isAligning, removeAlignment, shownArrangement, takeTool } from '../../state/notes/sketch.ts';
import { addressOfRoute } from '../../state/route.ts';
import { openDialog, type PanelName } from '../../state/tools.ts';
import { arrange, arrangement, comparisonNow, views } from '../../state/view.ts';
import { Button, IconButton } from '../common/button.tsx';
import { moveByArrows, useOneStop } from '../common/elements.ts';
import { CopyButton } from '../common/take-along.tsx';
import { toggleFullScreen } from '../view/keyboard.ts';
import { PanelButtons, ToolRow } from '../view/tools-and-panel.tsx';
import { FolderLink } from '../view/view-bar.tsx';
import { toggleTogether } from './compare-keys.ts';

const layoutIcons: readonly (readonly [layout: Layout, icon: IconNode, shortcut: string])[] = [
  ['beside', Columns2, 'S'],
  ['slider', SquareSplitHorizontal, 'E'],
  ['blend', Blend, 'B'],
  ['difference', Diff, 'U'],
];

function Layouts(): VNode {
  const row = useRef<HTMLDivElement>(null);
  useOneStop(row);
  return (
    <div class="layouts row" role="toolbar" aria-label={message('compare-layout')} ref={row} onKeyDown={moveByArrows}>
      {layoutIcons.map(([layout, icon, shortcut]) => (
        <IconButton
          key={layout}
          icon={icon}
          name={message(`layout-${layout}`)}
          word={message(`layout-${layout}`)}
          shortcut={shortcut}
          pressed={shownArrangement.value.layout === layout}
          onClick={() => arrange({ layout })}
        />
      ))}
    </div>
  );
}

export function CompareBar({ onAdd }: { readonly onAdd: () => void }): VNode {
  const count = views.value.length;
  return (
    <header class="compare-bar row wrap">
      <FolderLink />
      {count > 1 && (
        <>
          <Layouts />
          <div class="compare-relations row">
            <IconButton
              icon={Link2}
              name={message('compare-together')}
              word={message('short-together')}
              shortcut="G"
              pressed={shownArrangement.value.together}
              disabled={isAligning.value}
              onClick={toggleTogether}
            />
            <IconButton
              tool
              icon={Crosshair}
              name={message('tool-align')}
              word={message('short-align')}
              shortcut="P"
              pressed={isAligning.value}
              onClick={() => takeTool('align')}
            />
          </div>
        </>
      )}
      <div class="bar-end row">
        {count > 1 && count < maxCompared && (
          <IconButton icon={Plus} name={message('compare-add')} word={message('short-add')} onClick={onAdd} />
        )}
        {count > 0 && (
          <CopyButton text={() => addressOfRoute(compareRoute(comparisonNow()))} name={message('compare-copy')} />
        )}
        <IconButton
          class="not-on-phones"
          icon={Keyboard}
          name={message('keyboard')}
          shortcut="?"
          onClick={() => openDialog('keyboard')}
        />
        <IconButton
          class="not-on-phones"
          icon={Maximize}
          name={message('full-screen')}
          shortcut="F"
          onClick={toggleFullScreen}
        />
      </div>
    </header>
  );
}

const names: readonly PanelName[] = ['adjust', 'notes', 'measure', 'about'];

/** The panels for the active one of the compared images. */
export const comparePanels: ReadonlySet<PanelName> = new Set(names);

export const CompareRail = (): VNode => (
  <ToolRow>
    <PanelButtons names={names} />
  </ToolRow>
);

/** How to align images by points, while the reader sets them. */
export function AlignHint(): VNode | null {
  if (!isAligning.value) return null;
  const counts = views.value.map((_, index) => pointsAt(arrangement.value, index).length);
  return (
    <section class="align-hint row wrap" aria-label={message('tool-align')}>
      <p>{message('align-how')}</p>
      <p role="status">
        {counts.map((count, index) => message('align-progress', { number: index + 1, count })).join(' · ')}
      </p>
      <div class="button-row row wrap">
        <Button primary onClick={endAligning}>
          {message('align-done')}
        </Button>
        <Button disabled={counts.every((count) => count === 0)} onClick={removeAlignment}>
          {message('align-remove')}
        </Button>
      </div>
    </section>
  );
}

function PairSelect({ side }: { readonly side: 0 | 1 }): VNode {
  const id = useId();
  const { pair } = shownArrangement.value;
  const count = views.value.length;
  /** The image that is chosen already changes its place with this one. */
  const choose = (index: number): void => {
    const [lower, upper] = pair;
    const swapped: typeof pair = [upper, lower];
    if (index === pair[1 - side]) arrange({ pair: swapped });
    else arrange({ pair: validPair(side === 0 ? [index, upper] : [lower, index], count) });
  };
  return (
    <span class="pair-select row">
      <label for={id}>{message(side === 0 ? 'compare-lower' : 'compare-upper')}</label>
      <select id={id} value={pair[side]} onChange={({ currentTarget }) => choose(Number(currentTarget.value))}>
        {views.value.map((_, index) => (
          <option key={index} value={index}>
            {index + 1}
          </option>
        ))}
      </select>
    </span>
  );
}

export const PairSelects = (): VNode => (
  <div class="pair-selects row">
    <PairSelect side={0} />
    <PairSelect side={1} />
  </div>
);

/** The slider for the edge between two images, or for the opacity of the upper one; and which two they are. */
export function PositionSlider(): VNode {
  const id = useId();
  const { layout, position } = shownArrangement.value;
  const percent = Math.round(position * 1000) / 10;
  return (
    <div class="position-slider row">
      <label for={id}>{message(layout === 'slider' ? 'compare-edge' : 'compare-opacity')}</label>
      <input
        id={id}
        type="range"
        min={0}
        max={100}
        step={0.5}
        value={percent}
        aria-valuetext={`${Math.round(percent)} %`}
        onInput={({ currentTarget }) => arrange({ position: currentTarget.valueAsNumber / 100 })}
      />
    </div>
  );
}
