/** `llms.txt` (https://llmstxt.org): for programs that read for models, where lists and data sets are, so that they need not crawl. */
import { foldersBelow } from '../../../core/image/addresses/iiif-addresses.ts';
import type { Ports } from '../../../core/ports.ts';
import type { RobotsWish } from './robots.ts';

export interface LlmsFacts {
  readonly wish: RobotsWish;
  /** The value of `X-Robots-Tag` on all answers, if they have it. */
  readonly tag: string | undefined;
  /** The name of the library; empty where it has none. */
  readonly name: string;
  /** The address below which everything is, with a slash at its end. */
  readonly base: string;
  readonly iiifSlash: string;
  readonly ports: Pick<Ports, 'changesPath' | 'dataSetAddress' | 'hasManifests'>;
}

const wishes: Readonly<Record<RobotsWish['allow'], string>> = {
  all: 'All programs are welcome to what is named here.',
  none: 'This library does not wish to be read by robots.',
  'all-but-training': 'This library does not wish that models are trained with what is here.',
  'own-lines': 'What programs may read is said in robots.txt.',
};

/** A name may have what has a meaning in Markdown, and line ends. */
const plain = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#]/g, '\\$&');

const link = (name: string, address: string, about: string): string => `- [${name}](${address}): ${about}`;

function linksOf({ base, iiifSlash, ports, wish }: LlmsFacts): readonly string[] {
  const { changesPath, dataSetAddress, hasManifests } = ports;
  const collection = foldersBelow(`${base}presentation/3`, iiifSlash).collection('');
  // The form of the addresses, which hold the paths of folders.
  const dataSet = dataSetAddress?.(base, 'FOLDER');
  return [
    ...(changesPath === undefined
      ? []
      : [
          link(
            'Changes',
            base + changesPath,
            'all manifests with dates, and what has changed (IIIF Change Discovery 1.0)',
          ),
        ]),
    ...(dataSet === undefined
      ? []
      : [
          link(
            'Data sets',
            dataSet,
            'a ZIP file of each folder: manifest, metadata, texts and pictures; one request a folder',
          ),
        ]),
    ...(hasManifests ? [link('Collection', collection, 'the library as IIIF Presentation 3.0')] : []),
    ...(wish.allow === 'none' ? [] : [link('Sitemap', `${base}sitemap.xml`, 'all pages')]),
    link('Description', `${base}openapi.json`, 'all addresses of the server (OpenAPI)'),
    link('Wishes', `${base}robots.txt`, 'which addresses robots may visit'),
  ];
}

export function llmsText(facts: LlmsFacts): string {
  const { name, wish, tag } = facts;
  const said = tag === undefined ? '' : ` Answers say so in X-Robots-Tag: ${tag}.`;
  return `# ${plain(name) || 'Library'}

> Images of a library, with IIIF addresses. Take lists and data sets instead of pages and parts of pictures: nothing else is in them.

${wishes[wish.allow]}${said} An answer of status 429 or 503 says in Retry-After when to come again.

## Everything

${linksOf(facts).join('\n')}
`;
}
