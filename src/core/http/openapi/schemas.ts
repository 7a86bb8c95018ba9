/** The schemas of digilib's answers: the info object from the table of parameters, the others by hand (digilib.md, section 4). */
import { parameterNames } from '../../../features/digilib/parameters.ts';
import { informationSchemas, languageMap, presentationSchemas } from './iiif-schemas.ts';
import type { Schema } from './operation.ts';
import { memberSchema } from './query-parameters.ts';
import { readingRoomSchemas } from './reading-room-schemas.ts';

const text: Schema = { type: 'string' };
const count: Schema = { type: 'integer', minimum: 0 };
const side: Schema = { ...count, description: 'In pixels of the highest resolution.' };
const attribute: Schema = { type: 'string', xml: { attribute: true } };

const infoObject: Schema = {
  description: `${parameterNames.length} members, all of them text. Those of the image are set if \`fn\` names one that the caller may see.`,
  type: 'object',
  properties: Object.fromEntries(parameterNames.map((name) => [name, memberSchema(name)])),
  required: parameterNames,
  additionalProperties: false,
};

const infoObjectXml: Schema = {
  description: 'A `parameter` for each member of the info object, sorted by name.',
  type: 'object',
  xml: { name: 'document-parameters' },
  properties: {
    parameter: {
      type: 'array',
      items: { type: 'object', properties: { name: attribute, value: attribute }, required: ['name', 'value'] },
    },
  },
};

/** One object with all required members, with none, or with `auth_required` alone. */
const disclosed = (required: readonly string[], what: string): Schema => ({
  anyOf: [
    { title: what, required },
    { title: 'Nothing', maxProperties: 0 },
    { title: 'Not for this caller', required: ['auth_required'], maxProperties: 1 },
  ],
});

const pageNumber: Schema = { type: 'integer', minimum: 1, description: 'The `pn` of the file.' };
const stem: Schema = { ...text, description: 'The name without its extension.' };
const fileName: Schema = { ...text, description: 'The name with its extension.' };
const folderPath: Schema = { ...text, description: 'The folder’s path.' };

const authRequired: Schema = {
  type: 'boolean',
  description: 'Whether the caller needs further roles to see it; only present where access is restricted.',
};

const imageInfo: Schema = {
  type: 'object',
  properties: {
    filename: { type: 'string', description: 'The file’s name with its extension.' },
    aspect: { type: 'number', description: 'Width divided by height.' },
    dpi_x: { type: 'number', description: 'Horizontal resolution in dpi; 0 where it is unknown.' },
    dpi_y: { type: 'number', description: 'Vertical resolution in dpi; 0 where it is unknown.' },
    width: side,
    height: side,
    auth_required: authRequired,
  },
  additionalProperties: false,
  ...disclosed(['filename', 'aspect', 'dpi_x', 'dpi_y', 'width', 'height'], 'An image'),
};

const folderInfo: Schema = {
  type: 'object',
  properties: {
    url_path: folderPath,
    count: { type: 'string', pattern: '^[0-9]+$', description: 'The number of image files in it, as text.' },
    files: {
      type: 'array',
      description: 'The image files in the order of `pn`, of which the example shows the first; empty with `mo=dir`.',
      items: {
        type: 'object',
        properties: { index: pageNumber, fn: stem, file: fileName },
        required: ['index', 'fn', 'file'],
        additionalProperties: false,
      },
    },
    auth_required: authRequired,
  },
  additionalProperties: false,
  ...disclosed(['url_path', 'count', 'files'], 'A folder'),
};

const folderInfoXml: Schema = {
  description: 'An empty `dir` where there is no folder.',
  type: 'object',
  xml: { name: 'dir' },
  properties: {
    size: { ...count, description: 'The number of image files in the folder.' },
    name: folderPath,
    'auth-required': authRequired,
    file: {
      type: 'array',
      items: { type: 'object', properties: { index: pageNumber, name: stem, fsname: fileName } },
    },
  },
};

export const schemas = {
  InfoObject: infoObject,
  InfoObjectXml: infoObjectXml,
  ImageInfo: imageInfo,
  FolderInfo: folderInfo,
  FolderInfoXml: folderInfoXml,
  ImageInformation1: informationSchemas[1],
  ImageInformation2: informationSchemas[2],
  ImageInformation3: informationSchemas[3],
  ...presentationSchemas,
  LanguageMap: languageMap,
  ...readingRoomSchemas,
  ErrorSentence: { ...text, description: 'What is wrong and what would be right, in one sentence.' },
} as const satisfies Record<string, Schema>;

export type SchemaName = keyof typeof schemas;
