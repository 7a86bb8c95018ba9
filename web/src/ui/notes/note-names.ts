/** The names of marks and regions. */
import { message } from '../../messages/message.ts';

/** The name of a numbered note, with its text where it has one. */
export const nameOfNote = (key: 'mark-name' | 'region-name', at: number, text = ''): string =>
  `${message(key, { number: at + 1 })}${text === '' ? '' : `: ${text}`}`;
