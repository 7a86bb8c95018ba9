/**
 * Stands for the hosts of the images and media that recipes name. An image has its size, and its pixels tell where they are: red grows
 * from its left to its right edge, green from the top to the bottom, and blue is a number of its own.
 */
import sharp from 'sharp';
import type { Size } from '../../src/core/image/model/geometry.ts';
import { isFiniteNumber, isObject, listOf, memberOf, textOf } from '../../web/src/model/json-value.ts';
import { wavOf, webmOf } from '../fixtures/media-files.ts';

export interface KnownImage extends Size {
  /** The blue of all of its pixels. */
  readonly blue: number;
}

interface Media {
  readonly type: 'video/webm' | 'audio/wav';
  readonly seconds: number;
}

export interface Answer {
  readonly type: string;
  readonly bytes: Buffer;
}

const typeOf = (value: unknown): string =>
  textOf(memberOf(value, 'type') ?? memberOf(value, '@type')).replace(/^.*:/, '');

function sizeIn(value: unknown): Size | undefined {
  const [width, height] = [memberOf(value, 'width'), memberOf(value, 'height')];
  return isFiniteNumber(width) && isFiniteNumber(height) ? { width, height } : undefined;
}

/** The greatest width of a picture, in pixels. */
const maxWidth = 8000;

/** Blues are this far apart, and begin where no gray of the room is mistaken for them. */
const step = 7;

/** What lies at these addresses is loaded by viewers; homepages and the like stay as they are. */
const loadedTypes = new Set(['Image', 'Video', 'Sound', 'ImageService1', 'ImageService2', 'ImageService3']);

const isLoaded = (value: unknown): boolean =>
  loadedTypes.has(typeOf(value)) ||
  (typeOf(value) === 'Text' && /^text\/(?:vtt|plain)$/.test(textOf(memberOf(value, 'format'))));

/** Sound and video of any length as this Chromium surely plays it. */
const playable: Readonly<Record<string, Media['type']>> = { Video: 'video/webm', Sound: 'audio/wav' };

export class OtherHosts {
  readonly #base: string;
  readonly #images = new Map<string, KnownImage>();
  readonly #media = new Map<string, Media>();
  readonly #made = new Map<string, Promise<Buffer>>();

  constructor(base: string) {
    this.#base = base;
  }

  /** The address at this host that stands for one elsewhere. */
  addressOf = (address: string): string =>
    address.startsWith(this.#base) ? address : `${this.#base}/elsewhere/${address.replace(/^https?:\/\//, '')}`;

  has = (address: string): boolean => this.#images.has(address) || this.#media.has(address);

  /** The image of an image service or a picture, by its address elsewhere or here. */
  image(address: string): KnownImage {
    const found = this.#images.get(this.addressOf(address));
    if (found === undefined) throw new Error(`No recipe has the image ${address}`);
    return found;
  }

  #addImage(address: string, size: Size): void {
    const known = this.#images.get(address);
    const blue = known?.blue ?? 20 + ((this.#images.size * step) % 231);
    if (known === undefined || known.width < size.width) this.#images.set(address, { ...size, blue });
  }

  #note(resource: unknown, canvas: Size | undefined): void {
    const address = this.addressOf(textOf(memberOf(resource, 'id') ?? memberOf(resource, '@id')));
    const type = playable[typeOf(resource)];
    const duration = memberOf(resource, 'duration');
    if (type !== undefined) this.#media.set(address, { type, seconds: isFiniteNumber(duration) ? duration : 10 });
    if (typeOf(resource) !== 'Image') return;
    const services = listOf(memberOf(resource, 'service'));
    const sizes = services.flatMap((service) => listOf(memberOf(service, 'sizes'))).flatMap((one) => sizeIn(one) ?? []);
    const size = [...sizes, sizeIn(resource) ?? canvas ?? { width: 300, height: 200 }].toSorted(
      (a, b) => b.width - a.width,
    )[0];
    if (size === undefined) return;
    if (services.length === 0) this.#addImage(address, size);
    for (const service of services)
      this.#addImage(this.addressOf(textOf(memberOf(service, 'id') ?? memberOf(service, '@id'))), size);
  }

  /** A document of which all that is loaded lies at this host; what it says of images and media is kept. */
  adopt(value: unknown, canvas?: Size): unknown {
    if (Array.isArray(value)) return value.map((item) => this.adopt(item, canvas));
    if (!isObject(value)) return value;
    const around = typeOf(value) === 'Canvas' ? sizeIn(value) : canvas;
    const isChoice = typeOf(value) === 'Choice';
    const inner = Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        isChoice ? this.#adoptChoice(member, around) : this.adopt(member, around),
      ]),
    );
    if (!isLoaded(value)) return inner;
    this.#note(value, around);
    const key = '@id' in inner ? '@id' : 'id';
    const format = playable[typeOf(value)];
    return {
      ...inner,
      [key]: this.addressOf(textOf(inner[key])),
      ...(format !== undefined && 'format' in inner && { format }),
    };
  }

  /** Forms of sound to choose from keep their formats, which the choice is about. */
  #adoptChoice(member: unknown, canvas: Size | undefined): unknown {
    if (!Array.isArray(member)) return member;
    return member.map((item) => {
      const adopted = this.adopt(item, canvas);
      const format = memberOf(item, 'format');
      return isObject(adopted) && format !== undefined ? { ...adopted, format } : adopted;
    });
  }

  /** What lies at an address of this host; undefined for nothing. */
  async answer(address: string): Promise<Answer | undefined> {
    const media = this.#media.get(address);
    if (media !== undefined) return { type: media.type, bytes: await this.#file(address, media) };
    const whole = this.#images.get(address);
    const [, base = '', rest = ''] = /^(.*?)\/(info\.json|(?:full|[\d.,]+)\/[^/]+\/[^/]+\/[^/]+)$/.exec(address) ?? [];
    const image = this.#images.get(base);
    if (image !== undefined && rest === 'info.json') return info(base, image);
    // The largest image of the cookbook has two gigapixels.
    if (image !== undefined)
      return rest.startsWith('full/max') && image.width > maxWidth ? undefined : pictureOf(image, rest);
    if (whole !== undefined) return pictureOf(whole, 'full/max/0/default.png');
    if (address.endsWith('.vtt'))
      return { type: 'text/vtt', bytes: Buffer.from('WEBVTT\n\n00:00.000 --> 00:09.000\nGood morning\n') };
    return address.endsWith('.txt') ? { type: 'text/plain', bytes: Buffer.from('What is said') } : undefined;
  }

  #file(address: string, { type, seconds }: Media): Promise<Buffer> {
    const known = this.#made.get(address);
    if (known !== undefined) return known;
    const made =
      type === 'audio/wav' ? Promise.resolve(wavOf(seconds, 4000)) : webmOf(seconds, { width: 160, height: 90 });
    this.#made.set(address, made);
    return made;
  }
}

/** Image API 3, level 1. */
function info(id: string, { width, height }: Size): Answer {
  const levels = Math.max(0, Math.ceil(Math.log2(Math.max(width, height) / 512)));
  const scaleFactors = Array.from({ length: levels + 1 }, (_, level) => 2 ** level);
  const json = {
    '@context': 'http://iiif.io/api/image/3/context.json',
    id,
    type: 'ImageService3',
    protocol: 'http://iiif.io/api/image',
    profile: 'level1',
    ...{ width, height },
    tiles: [{ width: 512, height: 512, scaleFactors }],
  };
  return { type: 'application/json', bytes: Buffer.from(JSON.stringify(json)) };
}

/** The parameters of the Image API: region/size/rotation/quality.format, of which rotation is not needed. */
async function pictureOf({ width, height, blue }: KnownImage, parameters: string): Promise<Answer> {
  const [region = '', size = ''] = parameters.split('/');
  const [x = 0, y = 0, w = width, h = height] = region === 'full' ? [] : region.split(',').map(Number);
  const [part, high] = [
    { width: Math.min(w, width - x), height: Math.min(h, height - y) },
    Number(size.split(',')[1] || Number.NaN),
  ];
  const asked = Number(size.split(',')[0] || Number.NaN);
  const wide = Number.isFinite(asked)
    ? asked
    : Number.isFinite(high)
      ? Math.round((high * part.width) / part.height)
      : part.width;
  const tall = Number.isFinite(high) ? high : Math.max(1, Math.round((wide * part.height) / part.width));
  const data = Buffer.alloc(wide * tall * 3, blue);
  for (let row = 0; row < tall; row += 1) {
    const green = Math.round((255 * (y + ((row + 0.5) * part.height) / tall)) / height);
    for (let column = 0; column < wide; column += 1) {
      const at = (row * wide + column) * 3;
      data[at] = Math.round((255 * (x + ((column + 0.5) * part.width) / wide)) / width);
      data[at + 1] = green;
    }
  }
  const bytes = await sharp(data, { raw: { width: wide, height: tall, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return { type: 'image/png', bytes };
}
