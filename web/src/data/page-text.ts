/** Requests the texts of pages. */
import { encodePath } from '../../../src/core/image/folder/page-address.ts';
import type { TextAnswer } from '../../../src/core/image/page-text/text-answer.ts';
import { type Answer, fetchJson } from './fetch.ts';

/** Relative to the base. */
export const textAddress = (path: string, form: 'json' | 'txt'): string => `api/text/${encodePath(path)}.${form}`;

export const fetchPageText = (path: string, signal?: AbortSignal): Promise<Answer<TextAnswer>> =>
  fetchJson(textAddress(path, 'json'), signal);
