/** Path parameters in the API description: paths, identifiers, and the segments of IIIF. */
import { pathPatterns } from '../../../features/iiif-image/path-patterns.ts';
import { type Version, versions } from '../../../features/iiif-image/version.ts';
import { formatIdentifierSegment, keyOfPage, manifestParts, parentOf } from '../../image/addresses/iiif-addresses.ts';
import type { Parameter, Schema } from './operation.ts';

export const inPath = (name: string, description: string, schema: Schema, example: unknown): Parameter => ({
  name,
  in: 'path',
  required: true,
  description,
  schema,
  example,
});

const text: Schema = { type: 'string', minLength: 1 };

const slashes = 'its slashes percent-encoded as `%2F` or, where a client can, as they are';

const matching = (pattern: string, examples: readonly string[]): Schema => ({ type: 'string', pattern, examples });

/** The last four segments of an image address of one version, by names such as `iiif3.region`. */
function imageParameters(version: Version): Readonly<Record<string, Parameter>> {
  const { fullSize, square, upscaling } = versions[version];
  const { region, size, rotation, qualities, formats } = pathPatterns(version);
  const [full = 'full'] = fullSize;
  const regions = ['full', ...(square ? ['square'] : []), '0,0,200,100', 'pct:25,25,50,50'];
  const sizes = [
    ...fullSize,
    '200,',
    ',200',
    '200,100',
    '!200,200',
    'pct:50',
    ...(upscaling === 'caret' ? ['^200,'] : []),
  ];
  const larger = upscaling === 'caret' ? ' With `^` before it, it may be larger than the region.' : '';
  const named = {
    region: inPath(
      'region',
      `The region of the image: \`full\`,${square ? ' `square` for the centered square,' : ''} \`x,y,w,h\` in its pixels, or \`pct:x,y,w,h\` in percent.`,
      matching(region, regions),
      'full',
    ),
    size: inPath(
      'size',
      `The size of the picture: \`${full}\`, \`w,\`, \`,h\`, \`w,h\`, \`!w,h\` to fit inside, or \`pct:n\`.${larger}`,
      matching(size, sizes),
      '!200,200',
    ),
    rotation: inPath(
      'rotation',
      'Degrees clockwise from 0 to 360; with `!` before them the picture is mirrored first.',
      matching(rotation, ['0', '90', '!0', '22.5']),
      '0',
    ),
    quality: inPath('quality', 'Colors, gray, or black and white.', { type: 'string', enum: qualities }, qualities[0]),
    format: inPath('format', 'The picture’s file format.', { type: 'string', enum: formats }, formats[0]),
  };
  return Object.fromEntries(Object.entries(named).map(([name, one]) => [`iiif${version}.${name}`, one]));
}

/** All of them by name; the examples are the path of an image and of its folder. */
export function pathParameters(image: string, folder: string, slash: string): Readonly<Record<string, Parameter>> {
  const identifier = (path: string): string => decodeURIComponent(formatIdentifierSegment(path, slash)) || '/';
  return {
    path: inPath('path', `The path of the image, ${slashes}.`, text, image),
    identifier: inPath(
      'identifier',
      `The path of the image, with \`${slash}\` or \`%2F\` for its slashes.`,
      text,
      identifier(image),
    ),
    folderIdentifier: inPath(
      'identifier',
      `The path of the folder, or of an image in it, with \`${slash}\` or \`%2F\` for its slashes.`,
      text,
      identifier(folder),
    ),
    folder: inPath('folder', `The path of the folder, ${slashes}.`, text, folder),
    folderOfFolders: inPath('folder', `The path of the folder, ${slashes}.`, text, parentOf(folder) || folder),
    part: inPath(
      'part',
      'The kind of resource: canvas, sequence and so on.',
      { type: 'string', enum: manifestParts },
      manifestParts[0],
    ),
    name: inPath('name', 'The name of the resource, as the manifest has it.', text, 'page-001'),
    annotatedPage: inPath(
      'page',
      'The page as addresses of canvases name it: the file’s name with a hyphen before its extension.',
      text,
      keyOfPage(image.split('/').at(-1) ?? image),
    ),
    'manifest.start': {
      name: 'start',
      in: 'query',
      description: 'The id of a canvas of the manifest, at which it then begins. Any other value has no effect.',
      schema: { type: 'string', default: '' },
    },
    ...imageParameters(1),
    ...imageParameters(2),
    ...imageParameters(3),
  };
}
