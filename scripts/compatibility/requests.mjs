// What becomes of digilib's parameters, options and color operators, and the tests that show it.

import { operatorMeanings } from '../../dist/core/image/model/color.js';
import { optionMeanings, parameters } from '../../dist/features/digilib/parameters.js';
import { recordedMember, recordedParameter, recordedValue, shownBy, withProofs } from './evidence.mjs';
import { differs, setting, works } from './status.mjs';

/** Parameters that do not work exactly as digilib's. */
const parameterStatus = {
  ws: differs('works as documented; digilib parses but does not use it'),
  cont: differs('rounded once, after all color steps'),
  'base.url': differs('the full requested address including the query'),
  'servlet.request': differs('contains the same address'),
  'img.fn': differs('also set if `fn` names a folder; not set for callers who may not see the image'),
  'img.dpix': differs('also from the image’s own header if no metadata gives it; rounded'),
  'img.dpiy': differs('also from the image’s own header if no metadata gives it; rounded'),
  'img.pix_x': differs(`after EXIF orientation, unless ${setting('library.orientation')} is \`ignore\``),
  'img.pix_y': differs(`after EXIF orientation, unless ${setting('library.orientation')} is \`ignore\``),
  id_token: differs('also as a cookie or in the header `Authorization`; never in a log'),
};

const framing = 'test/unit/core/image/plan/area-framing.test.ts';
const infoObject = 'test/protocol/info-object.test.ts';

/** The tests of parameters for which no answers were recorded, or whose recorded answers do not show the difference. */
const parameterTests = {
  ws: shownBy(framing, "'dw=75&ws=2'"),
  cont: shownBy('test/pixels/color-random.test.ts', "'cont=20'"),
  ddpi: shownBy(framing, 'mo=osize&ddpi=75&dw=200&dh=200'),
  ddpix: shownBy(framing, 'ddpix=75&ddpiy=75'),
  ddpiy: shownBy(framing, 'ddpix=75&ddpiy=75'),
  id_token: shownBy('test/protocol/access.test.ts', '&id_token='),
  'request.path': shownBy('test/protocol/scaler.test.ts', "'/Scaler/photos?pn=8&dw=50'"),
  'img.fn': shownBy(infoObject, "'img.fn': 'page0004.jpg'"),
  'img.dpix': shownBy(infoObject, "'img.dpix': '240'"),
  'img.dpiy': shownBy(infoObject, "'img.dpix': '240'"),
  'img.pix_x': shownBy(infoObject, '?fn=photos/exif6_800x533'),
  'img.pix_y': shownBy(infoObject, '?fn=photos/exif6_800x533'),
};

const errorForms = `the status is the true one, unless ${setting('digilib.legacyErrorStatus')} is set`;

const optionStatus = { errimg: differs(errorForms), errtxt: differs(errorForms) };

const scaler = 'test/protocol/scaler.test.ts';

const optionTests = {
  osize: shownBy(framing, 'mo=osize&ddpi=75&dw=200&dh=200'),
  errimg: shownBy(scaler, "statusOf('errimg')"),
  errtxt: shownBy(scaler, '&mo=errtxt'),
  autores: shownBy(framing, "['dw=1501', 3000]"),
  vmir: shownBy('test/pixels/framing.test.ts', "'mo=vmir&dw=200'"),
  webp: shownBy('test/pixels/color.test.ts', 'dw=40&mo=webp'),
  info: shownBy(scaler, '&mo=info'),
  redirect_info: shownBy(scaler, 'mo=redirect_info'),
  dir: shownBy('test/protocol/openapi.test.ts', 'fn=books/book1&mo=dir'),
  deny_upscale: shownBy(framing, "'mo=deny_upscale&dw=2000'"),
};

const operatorStatus = {
  GRAYSCALE: differs('Rec. 709 weights on the stored values; digilib converts through linear light, which is wrong'),
  MAP_GRAY_BGR: differs('maps the same luminance'),
};

const colorReference = 'test/pixels/color-random.test.ts';

const operatorTests = {
  GRAYSCALE: shownBy(colorReference, "'GRAYSCALE'"),
  BITONAL: shownBy(colorReference, "'Bitonal'"),
  INVERT: shownBy(colorReference, "'brgt=300&colop=INVERT'"),
  MAP_GRAY_BGR: shownBy(colorReference, "'brgt=300&colop=MAP_GRAY_BGR'"),
};

/** The rows of a table: statuses and tests that name no row are mistakes, and so are rows without a test. */
function rowsOf(table, what, { status, tests, recorded }) {
  const names = Object.keys(table);
  const unknown = Object.keys(status).filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`docs/compatibility.md has an unknown ${what}: ${unknown.join(', ')}`);
  const rows = names.map((name) => [name, status[name] ?? works]);
  const found = Object.fromEntries(names.map((name) => [name, recorded(name)]));
  return withProofs(rows, { ...found, ...tests }, what).map(([name, ...cells]) => [`\`${name}\``, ...cells]);
}

/** Parameters that a client sets are shown by requests with them, the others by the members of the info object. */
const recordedFor = (name) => (parameters[name].scope === 's' ? recordedParameter(name) : recordedMember(name));

export const parameterRows = () =>
  rowsOf(parameters, 'parameter', { status: parameterStatus, tests: parameterTests, recorded: recordedFor });

export const optionRows = () =>
  rowsOf(optionMeanings, 'option', {
    status: optionStatus,
    tests: optionTests,
    recorded: (name) => recordedValue('mo', name),
  });

export const operatorRows = () =>
  rowsOf(operatorMeanings, 'color operator', {
    status: operatorStatus,
    tests: operatorTests,
    recorded: (name) => recordedValue('colop', name),
  });
