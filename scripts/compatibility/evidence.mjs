// The tests that show what docs/compatibility.md states: recorded answers of digilib, and rows of this repository's tests.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const caseFolder = `${root}test/fixtures/golden/cases/`;

/** Recorded answers that test/protocol/golden.test.ts excludes, because Lectern differs there on purpose. */
const excluded = new Set(['scaler-path-008', 'scaler-path-014', 'scaler-path-053']);

/** The groups of recorded answers that test/protocol/golden.test.ts compares. */
const comparedGroups = /^(dlinfo|scaler|iiif)/;

const recorded = readdirSync(caseFolder)
  .flatMap((file) => JSON.parse(readFileSync(caseFolder + file, 'utf8')))
  .filter(({ id, group }) => comparedGroups.test(group) && !excluded.has(id));

/** A refused request does not show that its parameters take effect. */
const isAnswered = ({ status }) => status === 200;

const queryOf = ({ request }) =>
  new URLSearchParams((request.split('?')[1] ?? '').replaceAll('&amp;', '&').replaceAll(';', '&'));

const proofOf = (cases) =>
  cases.length === 0
    ? undefined
    : `${cases.length} recorded answer${cases.length === 1 ? '' : 's'}, such as \`${cases.at(-1).id}\``;

/** The recorded pictures and files for Scaler requests with this parameter; undefined if there are none. */
export const recordedParameter = (name) =>
  proofOf(recorded.filter((one) => one.group.startsWith('scaler') && isAnswered(one) && queryOf(one).has(name)));

/** The same for requests in which the parameter `list` contains this value in any case; for forms of errors, the recorded errors. */
export const recordedValue = (list, value) =>
  proofOf(
    recorded.filter(
      (one) =>
        one.group.startsWith('scaler') &&
        (isAnswered(one) || value.startsWith('err')) &&
        (queryOf(one).get(list) ?? '').split(',').some((option) => option.toUpperCase() === value.toUpperCase()),
    ),
  );

/** The recorded info objects with this member; undefined if there are none. */
export const recordedMember = (name) =>
  proofOf(recorded.filter(({ json }) => json !== undefined && Object.hasOwn(json, name)));

/** A link to a test file with this line; throws if the file has no such line, or if its tests are not all run. */
export function linkToTest(file, line) {
  const text = readFileSync(root + file, 'utf8');
  if (!text.includes(line)) throw new Error(`docs/compatibility.md: ${file} contains no “${line}”`);
  if (/\.(skip|only|todo)\b/.test(text)) throw new Error(`docs/compatibility.md: not all tests of ${file} are run`);
  return `[${file.replace(/^test\//, '')}](../${file})`;
}

/** The same with the line, which shows a row. */
export function shownBy(file, line) {
  const shown = line.includes('`') || line.length > 60 ? '' : `: \`${line.replaceAll('|', '\\|')}\``;
  return linkToTest(file, line) + shown;
}

/** Rows with their tests as a third cell; throws for a row that no test shows. */
export function withProofs(rows, proofs, what) {
  const names = rows.map(([name]) => name);
  const unknown = Object.keys(proofs).filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new Error(`docs/compatibility.md names tests of an unknown ${what}: ${unknown.join(', ')}`);
  const missing = names.filter((name) => proofs[name] === undefined);
  if (missing.length > 0) throw new Error(`docs/compatibility.md: no test shows the ${what} ${missing.join(', ')}`);
  return rows.map(([name, status]) => [name, status, proofs[name]]);
}
