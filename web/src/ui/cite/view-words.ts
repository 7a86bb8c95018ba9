/** Describes the parts of a view that an address contains or can't express. */
import { countedMessage, language, message } from '../../messages/message.ts';
import type { Unsupported } from '../../model/cite/picture-address.ts';
import { partsOfView, type ViewPart } from '../../model/view/color.ts';
import type { ViewState } from '../../model/view-state.ts';
import { formatFraction, operatorNames } from '../common/words.ts';

/** A name inside of a sentence; nouns keep their capital letter in German. */
const insideSentence = (name: string): string =>
  language.value === 'de' ? name : name.charAt(0).toLowerCase() + name.slice(1);

function wordsOf(part: ViewPart): string {
  switch (part.name) {
    case 'rotation':
      return message('part-rotation', { degrees: formatFraction(part.degrees) });
    case 'marks':
    case 'rectangles':
      return countedMessage(`part-${part.name}`, part.count);
    case 'operation':
      return insideSentence(message(operatorNames[part.operator]));
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
