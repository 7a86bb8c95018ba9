/** The schemas of what the reading room asks of the library; the types are in image/folder-page.ts and image/units.ts. */
import type { Schema } from './operation.ts';

const text: Schema = { type: 'string' };
const texts: Schema = { type: 'array', items: text };
const count: Schema = { type: 'integer', minimum: 0 };
const place: Schema = { type: 'integer', minimum: 1 };
const orNull = (type: 'string' | 'integer', description: string): Schema => ({ type: [type, 'null'], description });

/** An object that has exactly these members. */
const exactly = (properties: Readonly<Record<string, Schema>>, description?: string): Schema => ({
  ...(description === undefined ? {} : { description }),
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const path: Schema = { type: 'string', description: 'The path inside the library; empty for its root.' };
const link = { path, title: { type: 'string', description: 'What it is called; empty for a root that nobody named.' } };

const folderCard = exactly({
  ...link,
  name: text,
  images: { ...count, description: 'How many image files lie in it.' },
  folders: { ...count, description: 'How many folders lie in it.' },
  cover: orNull('string', 'The path of an image that stands for it.'),
});

const imageCard = exactly({
  path,
  name: { type: 'string', description: 'The file’s name with its extension.' },
  pn: { ...place, description: 'The `pn` that leads to it.' },
  label: { type: 'string', description: 'What it is called, as in the manifest.' },
  width: orNull('integer', 'In upright pixels; null where the file can’t be read.'),
  height: orNull('integer', 'In upright pixels; null where the file can’t be read.'),
  pages: { ...place, description: 'How many pages the file has; those after the first are named `scan.tif;2`.' },
});

const contentsEntry = exactly({
  label: text,
  path: { type: 'string', description: 'The path of the page at which it begins.' },
  at: { ...place, description: 'The place of that page in the folder.' },
  contents: {
    type: 'array',
    // No reference to itself: many readers of descriptions follow such a one without end.
    description: 'The chapters inside of it, of the same form.',
    items: { type: 'object' },
  },
});

const folderPage = exactly({
  ...link,
  summary: texts,
  metadata: { type: 'array', items: exactly({ label: text, value: texts }) },
  attribution: { ...texts, description: 'Who must be named: the value of the required statement.' },
  rights: orNull('string', 'The address of a license or rights statement.'),
  direction: { type: 'string', enum: ['left-to-right', 'right-to-left'] },
  contents: {
    type: 'array',
    description: 'Its chapters, as its manifest has them.',
    items: contentsEntry,
  },
  parents: { type: 'array', description: 'The folders around it, the root first.', items: exactly(link) },
  folders: { type: 'array', items: folderCard },
  totalFolders: count,
  images: { type: 'array', items: imageCard },
  totalImages: count,
  from: { ...place, description: 'The place of the first image and folder of this part.' },
  at: orNull('integer', 'The place of the image that is meant, from 1; null where a folder is.'),
});

const foundPlace: Schema = {
  description: 'Where an image is in its folder; null for folders, and where it would take too long to tell.',
  oneOf: [exactly({ at: place, total: count }), { type: 'null' }],
};

const foundName = exactly({
  kind: { type: 'string', enum: ['folder', 'image'] },
  path,
  name: { type: 'string', description: 'The folder’s title, or the file’s name.' },
  label: orNull('string', 'What the folder’s metadata calls an image.'),
  place: foundPlace,
  folder: { type: 'string', description: 'The path of the folder that it is in.' },
  cover: orNull('string', 'The path of an image to show with it.'),
});

const unit: Schema = {
  type: 'object',
  properties: {
    name: text,
    symbol: { type: 'string', description: 'Short form for behind a number.' },
    place: { type: 'string', description: 'Where it was used, or by whom.' },
    meters: { type: 'number', exclusiveMinimum: 0 },
    source: { type: 'string', description: 'Where the length comes from.' },
  },
  required: ['name', 'meters'],
  additionalProperties: false,
};

/** All of them by name. */
export const roomSchemas = {
  FolderPage: folderPage,
  SearchAnswer: exactly({
    query: text,
    found: { type: 'array', items: foundName },
    complete: { type: 'boolean', description: 'Whether everything was looked at.' },
  }),
  UnitList: exactly({ units: { type: 'array', items: unit } }),
  RoomError: exactly(
    {
      error: { type: 'string', description: 'What was wrong, for programs: `login-needed`, `denied`, `not-found` …' },
      message: { type: 'string', description: 'What was wrong and what would be right, in one sentence.' },
    },
    'An error of the reading room’s addresses.',
  ),
} as const satisfies Record<string, Schema>;
