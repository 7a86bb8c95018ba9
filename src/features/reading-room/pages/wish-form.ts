/** The form by which folders are ordered and chosen on pages without scripts. */

import { type PageLanguage, type WordKey, wordIn } from '../../../core/http/words.ts';
import { folderPagePath } from '../../../core/image/addresses/folder-address.ts';
import { type FolderWish, folderOrders } from '../../../core/image/folder/folder-wish.ts';
import { element, joined, type Markup, textMarkup } from '../../../core/parsing/markup.ts';

const labeled = (language: PageLanguage, key: WordKey, field: Markup): Markup =>
  element('label', {}, textMarkup(`${wordIn(language, key)} `), field);

function orderField(wish: FolderWish, language: PageLanguage): Markup {
  const options = [undefined, ...folderOrders].map((order) => {
    const selected = wish.order === order ? { selected: 'selected' } : {};
    return element(
      'option',
      { value: order ?? '', ...selected },
      textMarkup(wordIn(language, `order-${order ?? 'own'}`)),
    );
  });
  return element('select', { name: 'order' }, ...options);
}

const textField = (name: 'author' | 'language', wish: FolderWish): Markup =>
  element('input', { name, value: wish[name] ?? '' });

const yearField = (name: 'after' | 'before', wish: FolderWish): Markup =>
  element('input', { name, value: String(wish[name] ?? ''), inputmode: 'numeric', size: 5 });

/** `path` is that of the folder. */
export const wishForm = (path: string, wish: FolderWish = {}, language: PageLanguage): Markup =>
  element(
    'form',
    { action: folderPagePath(path) || './', method: 'get' },
    joined([
      labeled(language, 'order', orderField(wish, language)),
      labeled(language, 'author', textField('author', wish)),
      labeled(language, 'of-language', textField('language', wish)),
      labeled(language, 'after', yearField('after', wish)),
      labeled(language, 'before', yearField('before', wish)),
      element('button', {}, textMarkup(wordIn(language, 'show'))),
    ]),
  );
