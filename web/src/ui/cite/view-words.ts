/** Describes the parts of a view that an address contains or can't express. */
import { message } from '../../messages/message.ts';
import type { Unsupported } from '../../model/iiif-address.ts';
import { partsOfView, type ViewPart } from '../../model/view-parts.ts';
import type { ViewState } from '../../model/view-state.ts';
import { operatorNames } from '../common/operator-names.ts';

const counted = (name: 'marks' | 'rectangles', count: number): string =>
  message(count === 1 ? `part-${name}-one` : `part-${name}`, { count });

function wordsOf(part: ViewPart): string {
  switch (part.name) {
    case 'rotation':
      return message('part-rotation', { degrees: part.degrees });
    case 'marks':
    case 'rectangles':
      return counted(part.name, part.count);
    case 'operation':
      return message(operatorNames[part.operator]);
    default:
      return message(`part-${part.name}`);
  }
}

/** "region, rotation 90°, contrast, 3 marks". */
export function describeView(state: ViewState): string {
  const parts = partsOfView(state).map(wordsOf);
  return parts.length === 0 ? message('part-none') : parts.join(', ');
}

export const describeUnsupported = (parts: readonly Unsupported[]): string =>
  parts.map((part) => message(`unsupported-${part}`)).join(', ');
