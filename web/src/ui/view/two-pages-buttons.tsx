/** The buttons for two pages: to show them, and how openings are put together. */
import { ArrowRightFromLine, BookOpen, type IconNode, PilcrowLeft } from 'lucide';
import type { VNode } from 'preact';
import { message } from '../../messages/message.ts';
import type { MessageKey } from '../../messages/messages.ts';
import { readingDirection, toggleShift, toggleTwoPages, turnReadingDirection } from '../../state/pages.ts';
import { view } from '../../state/view.ts';
import { Button, IconButton } from '../common/button.tsx';

interface Choice {
  readonly name: MessageKey;
  readonly icon: IconNode;
  readonly shortcut?: string;
  readonly pressed: boolean;
  readonly act: () => void;
}

/** Openings are put together only where two pages are shown. */
function choices(): readonly Choice[] {
  const { twoPages = false, shifted } = view.value;
  const both: Choice = { name: 'two-pages', icon: BookOpen, shortcut: 'B', pressed: twoPages, act: toggleTwoPages };
  if (!twoPages) return [both];
  const isReversed = readingDirection.value === 'right-to-left';
  return [
    both,
    { name: 'shift-pages', icon: ArrowRightFromLine, shortcut: 'Shift+B', pressed: shifted, act: toggleShift },
    { name: 'right-to-left', icon: PilcrowLeft, pressed: isReversed, act: turnReadingDirection },
  ];
}

export const TwoPagesIcons = (): VNode => (
  <>
    {choices().map(({ name, icon, shortcut, pressed, act }) => (
      <IconButton
        key={name}
        icon={icon}
        name={message(name)}
        {...(shortcut === undefined ? {} : { shortcut })}
        pressed={pressed}
        onClick={act}
      />
    ))}
  </>
);

export const TwoPagesButtons = (): VNode => (
  <>
    {choices().map(({ name, icon, pressed, act }) => (
      <Button key={name} icon={icon} pressed={pressed} onClick={act}>
        {message(name)}
      </Button>
    ))}
  </>
);
