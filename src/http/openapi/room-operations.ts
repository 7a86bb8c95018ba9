/** The reading room's addresses in the API description: its pages, their parts, and what they ask of the library. */
import { oldViewerPaths } from '../old-viewers.ts';
import { folderPath, searchPath } from '../routes/browse.ts';
import { unitsPath } from '../routes/units.ts';
import { elementName } from '../web-assets.ts';
import { bytesIn, contentIn, contentOf, page, taggedAnswers } from './answers.ts';
import type { Operation } from './operation.ts';

const pageAnswers = taggedAnswers('For people. The page itself says where there is nothing to show.', page);

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
    description: 'The query says what is shown of it and how, in the names of digilib’s parameters.',
    parameters: ['path'],
  },
  {
    ...forPeople,
    id: 'embed',
    paths: ['/embed/{path}'],
    summary: 'An image in the viewer alone, for other pages to show inside of themselves',
    description: 'Which sites may is configured (`embedAncestors`).',
    parameters: ['path'],
  },
  {
    ...forPeople,
    id: 'oldViewer',
    paths: oldViewerPaths,
    summary: 'Links to digilib’s viewers and contact sheets, opened in the reading room',
    description: 'The query is that of the old viewers. Where a site’s own pages have a file of this name, it is sent.',
    parameters: [],
  },
];

const parts: Operation = {
  id: 'roomPart',
  tag: 'reading room',
  paths: ['/room/{part}'],
  summary: 'A part of the reading room’s pages',
  description: 'Its name changes with what is in it, so that it may be kept forever.',
  parameters: ['roomPart'],
  answers: taggedAnswers('The part.', bytesIn(['text/javascript', 'text/css', 'image/svg+xml'])),
  errors: 'hidden',
};

const element: Operation = {
  id: 'viewerElement',
  tag: 'reading room',
  paths: [`/${elementName}`],
  summary: 'The script of the element by which other pages show the viewer',
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
    parameters: ['room.fn', 'room.pn', 'room.label', 'room.from', 'room.count', 'room.lang', 'id_token'],
    answers: taggedAnswers(
      'As far as the caller may see it.',
      contentIn(['application/json'], contentOf('FolderPage')),
    ),
    errors: 'room',
  },
  {
    id: 'search',
    tag: 'reading room',
    paths: [searchPath],
    summary: 'Folders and images by their names and by what metadata says of them',
    description:
      'Images are found by their labels too, folders by all texts of their metadata; what is called exactly so comes first. It ends after a second or when it has found 200, and says whether it looked at everything.',
    parameters: ['room.q', 'room.below', 'room.lang', 'id_token'],
    answers: taggedAnswers('What was found.', contentIn(['application/json'], contentOf('SearchAnswer'))),
    errors: 'room',
  },
  {
    id: 'units',
    tag: 'reading room',
    paths: [unitsPath],
    summary: 'Units of length that the site adds to those of the reading room',
    description: 'They are in a file that is configured (`units`); the list is empty where there is none.',
    parameters: [],
    answers: taggedAnswers('The units.', contentIn(['application/json'], contentOf('UnitList'))),
    errors: 'any',
  },
];

/** All of them; `hasElement` says whether the script of the element was built. */
export const roomOperations = (hasElement: boolean): readonly Operation[] => [
  ...pages,
  parts,
  ...(hasElement ? [element] : []),
  ...lists,
];
