// The operations of the Scaler with example calls: the content of docs/reference/operations.md and its pictures.
import { colorSections } from './table-color.mjs';
import { framingSections } from './table-framing.mjs';

/**
 * A section holds entries. An entry `shows` names (a parameter, `mo=` with an option, `colop=` with an operator), describes
 * the operation in HTML, and has `pictures`: for each the query of a call and the name of the file of its response.
 * `library: 'prescaled'` sends the call to a library that also has a small version of the photograph.
 */
export const sections = [...framingSections, ...colorSections];

/** The three error pictures; `query` is a call whose response is that picture. */
export const errorPictures = [
  {
    asset: 'not-found',
    query: 'fn=herbal/page-099&dw=320',
    text: 'There is no readable file of that name. Status 404.',
  },
  { asset: 'denied', text: 'The caller may not see the image. Status 403.' },
  {
    asset: 'error',
    query: 'fn=herbal/page-004',
    text: 'The request is invalid: here it has neither <code>dw</code> nor <code>dh</code>. Status 400.',
  },
];

/** The forms of an error; the option is added to `query`. */
export const errorForms = [
  { option: 'errimg', text: 'One of the pictures below. The default.' },
  { option: 'errtxt', text: 'One sentence as plain text.' },
  { option: 'errcode', text: 'No body.' },
].map((form) => ({ ...form, query: `fn=herbal/page-099&dw=320&mo=${form.option}` }));

/** The operations without a picture. */
export const withoutPicture = [
  {
    shows: ['mo'],
    text: 'Any number of options, separated by commas, in any order: <code>mo=crop,hires,png</code>. Unknown ones are dropped.',
  },
  {
    shows: ['mo=file', 'mo=rawfile'],
    text: 'The file as it is stored: no operation is applied. The file is that of the resolution that suffices, so add <code>hires</code> for the largest. <code>rawfile</code> takes precedence over <code>file</code>. Where the configuration forbids it, the call is answered as <code>mo=clip</code>.',
  },
  {
    shows: ['id_token'],
    text: 'For images that not everyone may see. It is never written to a log.',
  },
  {
    shows: ['mo=dir'],
    text: 'For <code>dirInfo-json.jsp</code> and <code>dirInfo-xml.jsp</code>; the Scaler ignores it.',
  },
  { shows: ['mo=info'], text: 'Sends the image’s IIIF info.json in place of a picture.' },
  { shows: ['mo=redirect_info'], text: 'Redirects (303) to the image’s IIIF info.json.' },
];
