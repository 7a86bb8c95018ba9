/** `robots.txt` (RFC 9309): who may visit the pages, and which addresses lead nowhere new. */

import type { RobotsFile } from '../../../config/files/robots-file.ts';
import { wishNames } from '../../../core/image/folder/folder-wish.ts';

/** What the site wishes of robots. */
export type RobotsWish =
  | { readonly allow: 'all' | 'none' }
  | { readonly allow: 'all-but-training'; readonly training: Pick<RobotsFile, 'date' | 'names'> }
  | { readonly allow: 'own-lines'; readonly lines: readonly string[] };

/** Where pictures are, as paths below the base; `*` stands for any characters. */
const pictureMounts = (iiifPrefix: string): readonly string[] => ['iiif/', `*Scaler/${iiifPrefix}/`];

/** Parameters of addresses that show a part of what another address shows, or a selection: there is no end of them. */
const variants = ['q', 'ww', 'wh', 'layout', ...wishNames];

/**
 * What no robot needs: parts of pictures, views with parameters, comparisons, searches and light tables. The whole pictures that
 * pages name, and the descriptions of images, stay open: of two rules that match, the longer one holds (RFC 9309, section 2.2.2).
 */
const rules = (path: string, iiifPrefix: string): readonly string[] => [
  ...[
    'embed/',
    'embed?',
    'compare?',
    'compare$',
    'light-table?',
    'light-table$',
    'view?',
    'view/*?',
    'api/search.json',
  ].map((one) => `Disallow: ${path}${one}`),
  ...variants.flatMap((name) => ['?', '&'].map((before) => `Disallow: ${path}*${before}${name}=`)),
  ...pictureMounts(iiifPrefix).flatMap((mount) => [
    `Disallow: ${path}${mount}`,
    `Allow: ${path}${mount}*/full/*/0/default.jpg`,
    `Allow: ${path}${mount}*/info.json`,
  ]),
];

export interface RobotsPlaces {
  /** The address below which everything is, with a slash at its end. */
  readonly base: string;
  /** The setting `iiif.prefix`. */
  readonly iiifPrefix: string;
}

/** The groups of rules, of which a robot takes the one with its name. */
function groupsOf(wish: RobotsWish, { base, iiifPrefix }: RobotsPlaces): readonly (readonly string[])[] {
  const path = base.replace(/^https?:\/\/[^/]*/, '');
  const closed = `Disallow: ${path}`;
  const open = ['User-agent: *', ...rules(path, iiifPrefix)];
  switch (wish.allow) {
    case 'all':
      return [open];
    case 'none':
      return [['User-agent: *', closed]];
    case 'all-but-training': {
      const { date, names } = wish.training;
      const named = names.map((name) => `User-agent: ${name}`);
      return [[`# Not for the training of models. The list of these robots is of ${date}.`, ...named, closed], open];
    }
    case 'own-lines':
      return [wish.lines];
  }
}

export function robotsText(wish: RobotsWish, places: RobotsPlaces): string {
  const sitemap = wish.allow === 'none' ? [] : [[`Sitemap: ${places.base}sitemap.xml`]];
  return `${[...groupsOf(wish, places), ...sitemap].map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
