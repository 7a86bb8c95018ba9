/** The IIIF Image API in the API description. */
import {
  type ApiPart,
  contentIn,
  contentOf,
  inPath,
  type Operation,
  type Parameter,
  redirectAnswers,
  type Schema,
  taggedAnswers,
  tierAnswers,
} from '../../core/http/openapi/operation.ts';
import { formatNames } from '../../core/image/model/formats.ts';
import { pathPatterns } from './image-path.ts';
import {
  formatExtensions,
  type IiifMount,
  type IiifMountRules,
  iiifMounts,
  type Version,
  versions,
} from './version.ts';

/** Plain JSON, and JSON-LD for clients that name it in `Accept`. */
const jsonTypes = (context: string): readonly string[] => [
  'application/json',
  `application/ld+json;profile="${context}"`,
];

const pathsBelow = (mounts: readonly { readonly prefix: string }[], ...forms: readonly string[]): readonly string[] =>
  forms.flatMap((form) => mounts.map(({ prefix }) => prefix + form));

const names: Readonly<Record<Version, string>> = { 1: '1.1', 2: '2.1', 3: '3.0' };

const pictureTypes = Object.values(formatExtensions).map((format) => formatNames[format].mediaType);

const imagePath = ['region', 'size', 'rotation', 'quality', 'format'];

/** The operations of one version of the Image API at its mounts, the usual one first. */
function imageOperations(version: Version, mounts: readonly IiifMount[]): readonly Operation[] {
  const schema = `ImageInformation${version}` as const;
  const name = names[version];
  const content = contentIn(jsonTypes(versions[version].context), contentOf(schema));
  const common = { tag: 'IIIF Image', parameters: ['identifier'], errors: 'document' } as const;
  return [
    {
      ...common,
      id: `iiif${version}Information`,
      paths: pathsBelow(mounts, '/{identifier}/info.json'),
      summary: `info.json of Image API ${name}`,
      description: 'Sizes, tiles, formats and limits, from which viewers make their requests.',
      answers: { ...taggedAnswers(`The info.json of version ${name}.`, content, true), ...tierAnswers },
    },
    {
      ...common,
      id: `iiif${version}Image`,
      paths: pathsBelow(mounts, '/{identifier}/{region}/{size}/{rotation}/{quality}.{format}'),
      summary: `A picture by Image API ${name}`,
      description: 'Level 2 with arbitrary rotation and mirroring.',
      parameters: ['identifier', ...imagePath.map((part) => `iiif${version}.${part}`)],
      answers: {
        ...taggedAnswers('The picture in the format of the address.', contentIn(pictureTypes), true),
        ...tierAnswers,
      },
      errors: 'picture',
    },
    {
      ...common,
      id: `iiif${version}Base`,
      paths: pathsBelow(mounts, '/{identifier}'),
      summary: `The base address of an image of Image API ${name}`,
      answers: redirectAnswers('To info.json.'),
    },
  ];
}

const iiifImageOperations = (mounts: readonly IiifMount[]): readonly Operation[] =>
  ([3, 2, 1] as const).flatMap((version) => {
    const ofVersion = mounts.filter((mount) => mount.version === version);
    return imageOperations(version, ofVersion);
  });

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

const members = (...required: readonly string[]): Schema => ({ type: 'object', required });

export const apiPart = (rules: IiifMountRules): ApiPart => ({
  operations: iiifImageOperations(iiifMounts('', rules)),
  parameters: { ...imageParameters(1), ...imageParameters(2), ...imageParameters(3) },
  schemas: {
    ImageInformation1: members('@context', '@id', 'width', 'height', 'profile'),
    ImageInformation2: members('@context', '@id', 'protocol', 'width', 'height', 'profile'),
    ImageInformation3: members('@context', 'id', 'type', 'protocol', 'profile', 'width', 'height'),
  },
});
