import { expect, it } from 'vitest';
import { pageLanguageOf, wordIn } from '../../../../src/core/http/words.ts';
import { writtenTags } from '../../../../web/src/messages/messages.ts';

it.each(writtenTags)('the pages that the server writes are in %s, as the reading room is', (tag) =>
  expect(pageLanguageOf([`${tag}-x`])).toBe(tag),
);

it.each([
  [['fr-ch', 'en'], 'fr'],
  [['it', 'de'], 'de'],
  [['it'], 'en'],
])('of the languages %j, %s is taken', (tags, language) => expect(pageLanguageOf(tags)).toBe(language));

it('French has French typography', () => expect(wordIn('fr', 'not-found')).toBe('Il n’y a rien à cette adresse.'));
