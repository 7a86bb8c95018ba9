/** Settings of the reading room. */
import { z } from 'zod';
import { path } from '../../config/groups/path-setting.ts';
import type { SettingsWith } from '../../core/feature.ts';
import { parseFrontPicture } from '../../core/image/folder/front-picture.ts';

/** A source of `frame-ancestors` (Content Security Policy 3, section 6.4.2): nothing in it can end the list or the directive. */
const isAncestor = (source: string): boolean =>
  source === '*' ||
  source === "'self'" ||
  /^[a-z][a-z0-9+.-]*:$/i.test(source) ||
  /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*(?::(?:[0-9]+|\*))?\/?$/i.test(source);

/** Hosts from which pages are loaded: as above, but for this server itself and for protocols that no host is asked by. */
const isHost = (source: string): boolean =>
  source === '*' ||
  /^https?:$/i.test(source) ||
  (isAncestor(source) && /^(?:https?:\/\/)?[^:']*[a-z0-9](?::|\/|$)/i.test(source));

const words = z.string().trim().min(1, 'must be a text').max(1000, 'must have at most 1000 characters');

/** A text for all readers, or one in each language of the room; readers of another language get the English one. */
const localized = z.union([words, z.strictObject({ en: words, de: words.optional(), fr: words.optional() })], {
  error: 'must be a text, or an object with texts as en, de and fr',
});

/** The address of a tile of a map: of one host, with the three numbers that name the tile behind it. */
const isTileTemplate = (address: string): boolean =>
  /^https?:\/\/[^/{}\s'";,]+\/[^\s'"]*$/i.test(address) &&
  ['{z}', '{x}', '{y}'].every((part) => address.split(part).length === 2);

/** An address elsewhere, one of a mail program, or one of this server. */
const isLinked = (address: string): boolean => /^(?:https?:\/\/|mailto:)\S+$|^\/(?!\/)\S*$/i.test(address);

/** `#rrggbb`. */
const color = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'must be a color such as #7a3b1d')
  .transform((text) => text.toLowerCase());

export const readingRoomSettings = {
  readingRoom: z
    .strictObject({
      name: z
        .string()
        .trim()
        .min(1, 'must be a name')
        .max(200, 'must have at most 200 characters')
        .optional()
        .describe(
          'the name of the library: in the header, in titles, and in what search engines and previews show; by default the label of the first base directory’s metadata file',
        ),
      logo: path
        .optional()
        .describe(
          'a picture of the library’s logo for the header of all pages: SVG, PNG, JPEG, GIF or WebP, at most 512 KiB',
        ),
      accent: color
        .optional()
        .describe(
          'the color of links and buttons; it is darkened on light pages and lightened on dark ones as far as text needs to be legible',
        ),
      paper: color
        .optional()
        .describe(
          'the color of pages, of which all surfaces have the hue; they stay as light, or as dark in the dark theme, as text needs to be legible',
        ),
      typefaces: z
        .strictObject({
          headings: path.optional().describe('a font for titles and for texts of pages, WOFF2 of at most 512 KiB'),
          text: path
            .optional()
            .describe('a font for all else, WOFF2 of at most 512 KiB; a variable one has all of its weights'),
        })
        .prefault({})
        .describe('the site’s own typefaces, in place of Lectern’s serif and sans'),
      footer: z
        .strictObject({
          text: localized
            .optional()
            .describe(
              'a text at the end of the pages of the library, such as who runs it: a text, or one in each of en, de and fr',
            ),
          links: z
            .array(
              z.strictObject({
                label: localized,
                address: z
                  .string()
                  .refine(isLinked, 'must begin with https://, http:// or mailto:, or be a path such as /imprint.html'),
              }),
            )
            .max(12, 'must be at most 12 links')
            .default([])
            .describe('links beside it, such as the imprint and the privacy policy: the label, and the address'),
        })
        .prefault({})
        .describe('the end of the pages of the library; the viewer has it in “About this image”'),
      frontPicture: z
        .string()
        .refine((text) => parseFrontPicture(text) !== undefined, 'must be what follows view/ in the address of a view')
        .optional()
        .describe(
          'the wide picture at the top of the start page, as what follows view/ in the address of a view: the image’s path and the region; by default a detail of the largest cover',
        ),
      embedAncestors: z
        .array(
          z.string().refine(isAncestor, 'must be a source such as https://library.example, *.library.example or *'),
        )
        .default(['*'])
        .describe(
          'sites whose pages may show the viewer at /embed/ inside of themselves, as sources of a Content-Security-Policy; * for all, an empty list for none',
        ),
      viewers: z
        .array(
          z.strictObject({
            name: z.string().trim().min(1, 'must be a name'),
            address: z.string().regex(/^https?:\/\//i, 'must be an address that begins with https:// or http://'),
          }),
        )
        .default([
          { name: 'Mirador', address: 'https://projectmirador.org/embed/?iiif-content={start}' },
          { name: 'Universal Viewer', address: 'https://universalviewer.io/uv.html#?manifest={manifest}&cv={index}' },
          { name: 'Theseus', address: 'https://theseusviewer.org/?iiif-content={state}' },
          {
            name: 'Clover',
            address: 'https://samvera-labs.github.io/clover-iiif/docs/viewer/demo?iiif-content={state}',
          },
        ])
        .describe(
          'viewers of other sites that “open with” offers: the name, and the address, in which {manifest} is replaced by the address of the manifest, {start} by that of the manifest that begins at the page, {canvas} by the page’s canvas, {index} by the position of its canvas, from 0, and {state} by an IIIF Content State; an empty list for none',
        ),
      manifests: z
        .array(
          z
            .string()
            .refine(
              isHost,
              'must be a host such as https://iiif.example, *.iiif.example, https: for all with TLS, or *',
            ),
        )
        .default([])
        .describe(
          'hosts of which the viewer opens manifests at /view?manifest=…, with their images and annotations, as sources of a Content-Security-Policy; an empty list for none, https: for all',
        ),
      baseMap: z
        .strictObject({
          tiles: z
            .string()
            .refine(isTileTemplate, 'must be an address such as https://tiles.example/{z}/{x}/{y}.png')
            .describe(
              'the address of its tiles: pictures of 256 × 256 pixels in Web Mercator, with {z}, {x} and {y} for zoom, column and row',
            ),
          attribution: words.describe('whose map it is, which is shown on it'),
          attributionAddress: z
            .string()
            .regex(/^https?:\/\//i, 'must be an address that begins with https:// or http://')
            .optional()
            .describe('where the attribution leads'),
          maxZoom: z
            .int('must be a number from 1 to 22')
            .min(1, 'must be a number from 1 to 22')
            .max(22, 'must be a number from 1 to 22')
            .default(19)
            .describe('the largest zoom that there are tiles of'),
        })
        .optional()
        .describe(
          'the map below images that have a place on it; readers’ browsers ask its host for tiles, once a map is opened. None by default: a grid of degrees is drawn, and no other host is asked',
        ),
      units: path.optional().describe('a JSON file of units of length that the reading room offers before its own'),
    })
    .prefault({})
    .describe('the reading room'),
};

export type ReadingRoomSettings = SettingsWith<typeof readingRoomSettings>;
