/** Licenses and rights statements by their addresses. */
import { describe, expect, it } from 'vitest';
import { messages } from '../../../../../web/src/messages/messages.ts';
import { rightsAt, rightsWords } from '../../../../../web/src/model/text/metadata-text.ts';

describe('the rights at an address', () => {
  it.each([
    ['https://creativecommons.org/licenses/by/4.0/', 'license', 'CC BY 4.0', ['by']],
    [
      'http://creativecommons.org/licenses/by-nc-sa/3.0/de/deed.en',
      'license',
      'CC BY-NC-SA 3.0 DE',
      ['by', 'nc', 'sa'],
    ],
    ['https://creativecommons.org/publicdomain/mark/1.0/', 'public-domain', '', ['mark']],
    ['https://creativecommons.org/publicdomain/zero/1.0/', 'public-domain', 'CC0 1.0', ['zero']],
    ['http://rightsstatements.org/vocab/InC/1.0/', 'copyright', '', ['InC']],
    ['https://rightsstatements.org/page/InC-OW-EU/1.0/?language=de', 'copyright', '', ['InC-OW-EU']],
    ['http://rightsstatements.org/vocab/NoC-US/1.0/', 'public-domain', '', ['NoC-US']],
    ['http://rightsstatements.org/vocab/NKC/1.0/', 'other', '', ['NKC']],
  ])('%s', (address, kind, name, words) => expect(rightsAt(address)).toEqual({ kind, name, words }));

  it.each([
    'https://example.org/rights',
    'https://creativecommons.org/',
    'https://creativecommons.org.evil.example/licenses/by/4.0/',
    'http://rightsstatements.org/vocab/Nothing/1.0/',
    'javascript:alert(1)',
  ])('%s are not known', (address) => expect(rightsAt(address)).toBeUndefined());

  it('have words in every language', () => {
    for (const word of rightsWords) expect(Object.hasOwn(messages, `rights-${word}`), word).toBe(true);
  });
});
