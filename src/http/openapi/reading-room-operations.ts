/** The reading room's addresses in the API description: its pages, their scripts and styles, and the lists that they request. */
import { oldViewerPaths } from '../old-viewers.ts';
import { folderPath, searchPath } from '../routes/browse.ts';
import { unitsPath } from '../routes/units.ts';
import { elementName } from '../web-assets.ts';
import { bytesIn, contentIn, contentOf, page, taggedAnswers } from './answers.ts';
import type { Operation } from './operation.ts';

const pageAnswers = taggedAnswers(
  'A page for people. It is also sent where the library has no such folder or image, and then says so.',
  page,
);

const forPeople = { tag: 'reading room', answers: pageAnswers, errors: 'any' } as const;

const pages: readonly Operation[] = [
  {
    ...forPeople,
    id: 'startPage',
    paths: ['/', '/browse'],
    summary: 'The library in the reading room',
    parameters: [],
  },
  {
    ...forPeople,
    id: 'browse',
    paths: ['/browse/{folder}'],
    summary: 'A folder of the library in the reading room',
    parameters: ['folder'],
  },
  {
    ...forPeople,
    id: 'view',
    paths: ['/view/{path}'],
    summary: 'An image in the reading room',
    description: 'The query gives the region, rotation and colors in digilib’s parameter names.',
    parameters: ['path'],
  },
  {
    ...forPeople,
    id: 'embed',
    paths: ['/embed/{path}'],
    summary: 'The viewer alone, for embedding in other pages',
    description: 'The setting `readingRoom.embedAncestors` names the sites that may.',
    parameters: ['path'],
  },
  {
    ...forPeople,
    id: 'oldViewer',
    paths: oldViewerPaths,
    summary: 'Links to digilib’s viewers and contact sheets, opened in the reading room',
    description: 'The query is that of the old viewers. A site’s own page of this name takes precedence.',
    parameters: [],
  },
];

const assets: Operation = {
  id: 'readingRoomPart',
  tag: 'reading room',
  paths: ['/room/{part}'],
  summary: 'A script, style sheet or icon of the reading room',
  description: 'The name changes with the content, so that clients may cache it forever.',
  parameters: ['readingRoomPart'],
  answers: taggedAnswers('The file.', bytesIn(['text/javascript', 'text/css', 'image/svg+xml'])),
  errors: 'hidden',
};

const element: Operation = {
  id: 'viewerElement',
  tag: 'reading room',
  paths: [`/${elementName}`],
  summary: 'The script that defines the element `<lectern-viewer>`',
  parameters: [],
  answers: taggedAnswers('The script.', bytesIn(['text/javascript'])),
  errors: 'any',
};

const lists: readonly Operation[] = [
  {
    id: 'folder',
    tag: 'reading room',
    paths: [folderPath],
    summary: 'A folder with a part of its images and folders',
    description: 'Images come in the order of the folder’s manifest, with its labels.',
    parameters: [
      'readingRoom.fn',
      'readingRoom.pn',
      'readingRoom.label',
      'readingRoom.from',
      'readingRoom.count',
      'readingRoom.lang',
      'id_token',
    ],
    answers: taggedAnswers(
      'What the caller may see of the folder.',
      contentIn(['application/json'], contentOf('FolderListing')),
    ),
    errors: 'readingRoom',
  },
  {
    id: 'search',
    tag: 'reading room',
    paths: [searchPath],
    summary: 'Folders and images by their names and by what metadata says of them',
    description:
      'Images are found by their labels too, folders by all texts of their metadata; exact matches come first. The search stops after a second or 200 matches, and `complete` tells whether it covered everything.',
    parameters: ['readingRoom.q', 'readingRoom.below', 'readingRoom.lang', 'id_token'],
    answers: taggedAnswers('The matches.', contentIn(['application/json'], contentOf('SearchAnswer'))),
    errors: 'readingRoom',
  },
  {
    id: 'units',
    tag: 'reading room',
    paths: [unitsPath],
    summary: 'Units of length that the site adds to those of the reading room',
    description: 'They come from the file that the setting `readingRoom.units` names; without it the list is empty.',
    parameters: [],
    answers: taggedAnswers('The units.', contentIn(['application/json'], contentOf('UnitList'))),
    errors: 'any',
  },
];

/** All of them; `hasElement` tells whether the script of `<lectern-viewer>` was built. */
export const readingRoomOperations = (hasElement: boolean): readonly Operation[] => [
  ...pages,
  assets,
  ...(hasElement ? [element] : []),
  ...lists,
];
