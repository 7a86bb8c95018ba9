// Draws what the page of the operations shows: the answers' pictures, sizes, statuses and sentences.
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { withLibraries } from './ask.mjs';
import { encodePicture } from './pictures.mjs';
import { errorForms, errorPictures, sections } from './table.mjs';

async function drawPicture({ file, query }, ask) {
  const { status, type, body } = await ask(query);
  if (status !== 200) throw new Error(`/Scaler?${query} is answered with ${status}; the table’s call is wrong`);
  const { width, height } = await sharp(body).metadata();
  return { file, query, type, width, height, bytes: await encodePicture(body) };
}

async function drawEntry(entry, asks) {
  const ask = asks[entry.library ?? 'samples'];
  const pictures = [];
  for (const picture of entry.pictures ?? []) pictures.push(await drawPicture(picture, ask));
  if (entry.refused === undefined) return { ...entry, pictures };
  const { status, body } = await ask(entry.refused);
  if (status !== 400) throw new Error(`/Scaler?${entry.refused} is answered with ${status} instead of 400`);
  return { ...entry, pictures, refusal: { query: entry.refused, status, sentence: body.toString().trim() } };
}

/** An error picture is shown from assets/; a call that is not answered with that very file is a mistake. */
async function checkErrorPicture({ asset, query }, ask) {
  if (query === undefined) return;
  const { body } = await ask(query);
  const wanted = readFileSync(new URL(`../../assets/${asset}.png`, import.meta.url));
  if (!body.equals(wanted)) throw new Error(`/Scaler?${query} is not answered with assets/${asset}.png`);
}

async function askErrorForm(form, ask) {
  const { status, type, body } = await ask(form.query);
  return { ...form, status, type, sentence: type === 'text/plain' ? body.toString().trim() : '' };
}

/** The sections with their pictures, and the forms of an error with their answers. */
export function drawAll() {
  return withLibraries(async (asks) => {
    const drawn = [];
    for (const section of sections) {
      const entries = [];
      for (const entry of section.entries) entries.push(await drawEntry(entry, asks));
      drawn.push({ ...section, entries });
    }
    for (const picture of errorPictures) await checkErrorPicture(picture, asks.samples);
    const forms = await Promise.all(errorForms.map((form) => askErrorForm(form, asks.samples)));
    return { sections: drawn, forms };
  });
}
