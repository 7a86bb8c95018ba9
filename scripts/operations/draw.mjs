// Renders the examples of the page of operations: pictures, sizes, statuses and error messages of the responses.
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { encodePicture } from './pictures.mjs';
import { withLibraries } from './running-libraries.mjs';
import { errorForms, errorPictures, sections } from './table.mjs';

async function drawPicture({ file, query }, send) {
  const { status, type, body } = await send(query);
  if (status !== 200) throw new Error(`/Scaler?${query} is answered with ${status}; the table’s call is wrong`);
  const { width, height } = await sharp(body).metadata();
  return { file, query, type, width, height, bytes: await encodePicture(body) };
}

async function drawEntry(entry, request) {
  const send = request[entry.library ?? 'samples'];
  const pictures = [];
  for (const picture of entry.pictures ?? []) pictures.push(await drawPicture(picture, send));
  if (entry.refused === undefined) return { ...entry, pictures };
  const { status, body } = await send(entry.refused);
  if (status !== 400) throw new Error(`/Scaler?${entry.refused} is answered with ${status} instead of 400`);
  return { ...entry, pictures, refusal: { query: entry.refused, status, sentence: body.toString().trim() } };
}

/** The page shows the error pictures of assets/; throws if the example’s response is another picture. */
async function checkErrorPicture({ asset, query }, send) {
  if (query === undefined) return;
  const { body } = await send(query);
  const expected = readFileSync(new URL(`../../assets/${asset}.png`, import.meta.url));
  if (!body.equals(expected)) throw new Error(`/Scaler?${query} is not answered with assets/${asset}.png`);
}

async function requestErrorForm(form, send) {
  const { status, type, body } = await send(form.query);
  return { ...form, status, type, sentence: type === 'text/plain' ? body.toString().trim() : '' };
}

/** The sections with their pictures, and the forms of an error with their answers. */
export function drawAll() {
  return withLibraries(async (request) => {
    const drawn = [];
    for (const section of sections) {
      const entries = [];
      for (const entry of section.entries) entries.push(await drawEntry(entry, request));
      drawn.push({ ...section, entries });
    }
    for (const picture of errorPictures) await checkErrorPicture(picture, request.samples);
    const forms = await Promise.all(errorForms.map((form) => requestErrorForm(form, request.samples)));
    return { sections: drawn, forms };
  });
}
