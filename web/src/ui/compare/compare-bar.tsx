/** The bar above compared images: how they are arranged, and what can be done with all of them. */
import {
  Blend,
  Columns2,
  Crosshair,
  Diff,
  type IconNode,
  Keyboard,
  LibraryBig,
  Link2,
  Maximize,
  Plus,
  SquareSplitHorizontal,
} from 'lucide';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import { type Layout, maxCompared } from '../../model/address/comparison.ts';
import { compareRoute, folderRoute, partFrom } from '../../model/address/routes.ts';
import { isAligning, shownArrangement, takeTool } from '../../state/notes/sketch.ts';
import { openedNow } from '../../state/opened.ts';
import { addressOfRoute } from '../../state/route.ts';
import { openDialog } from '../../state/tools.ts';
import { arrange, comparisonNow, views } from '../../state/view.ts';
import { IconButton } from '../common/button.tsx';
import { CopyButton } from '../common/copy.tsx';
import { Icon } from '../common/icon.tsx';
import { RouteLink } from '../common/route-link.tsx';
import { moveByArrows, useOneStop } from '../common/roving-focus.ts';
import { toggleFullScreen } from '../view/full-screen.ts';
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
    <div class="layouts" role="toolbar" aria-label={message('compare-layout')} ref={row} onKeyDown={moveByArrows}>
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

function FolderLink(): VNode {
  const opened = openedNow();
  const title = opened?.folder.title || message('library');
  return (
    <RouteLink class="folder-link" to={folderRoute(opened?.folder.path ?? '', partFrom(opened?.at ?? 1))} title={title}>
      <Icon of={LibraryBig} />
      <span>{title}</span>
    </RouteLink>
  );
}

export function CompareBar({ onAdd }: { readonly onAdd: () => void }): VNode {
  const count = views.value.length;
  return (
    <header class="compare-bar">
      <FolderLink />
      {count > 1 && (
        <>
          <Layouts />
          <div class="compare-relations">
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
      <div class="bar-end">
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
