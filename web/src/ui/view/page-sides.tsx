/** The sides of the stage: a click turns the page where the whole image is seen, and the pointer shows it. */
import { useSignal } from '@preact/signals';
import { ChevronLeft, ChevronRight } from 'lucide';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { type Side, sideAt } from '../../model/view/page-order.ts';
import { canTurn, turnAt, turnIfWhole } from '../../state/pages.ts';
import { onPointer, stage } from '../../state/stages.ts';
import { selectsText, tool } from '../../state/tools.ts';
import { seesWhole } from '../../state/viewport.ts';
import { Icon } from '../common/icon.tsx';

/** The side at a position in CSS pixels from the left edge of the stage, where a click there turns to a page. */
function turningSide(x: number): Side | undefined {
  const on = stage.peek();
  if (on === undefined || tool.peek() !== 'move' || selectsText.peek() || !seesWhole()) return undefined;
  const side = sideAt(x, on.window.width);
  return side !== undefined && canTurn(turnAt(side)) ? side : undefined;
}

/** Turns at clicks; a second one soon after turns again and does not zoom. */
const turnAtClicks = (): (() => void) =>
  onPointer(({ kind, at, use }) => {
    if (kind !== 'click' && kind !== 'double-click') return;
    const side = turningSide(at.x);
    if (side === undefined) return;
    use();
    if (kind === 'click') turnIfWhole(turnAt(side));
  });

export function PageSides(): VNode | null {
  const hovered = useSignal<Side | undefined>(undefined);
  const element = stage.value?.focusElement;
  useEffect(turnAtClicks, []);
  useEffect(() => {
    if (element === undefined) return undefined;
    const show = (side: Side | undefined): void => {
      hovered.value = side;
      element.classList.toggle('turns', side !== undefined);
    };
    const move = ({ pointerType, buttons, clientX }: PointerEvent): void => {
      const isFree = pointerType === 'mouse' && buttons === 0;
      show(isFree ? turningSide(clientX - element.getBoundingClientRect().x) : undefined);
    };
    const leave = (): void => show(undefined);
    element.addEventListener('pointermove', move);
    element.addEventListener('pointerleave', leave);
    return () => {
      element.removeEventListener('pointermove', move);
      element.removeEventListener('pointerleave', leave);
    };
  }, [element]);
  if (hovered.value === undefined) return null;
  return (
    <span class={`page-side ${hovered.value}`} aria-hidden="true">
      <Icon of={hovered.value === 'left' ? ChevronLeft : ChevronRight} />
    </span>
  );
}
