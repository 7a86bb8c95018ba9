// The reference page of the Scaler's operations, from their table, with what the running app answers.
import { meanings } from '../operations/coverage.mjs';
import { errorPictures, withoutPicture } from '../operations/table.mjs';

/** The pictures’ folder, relative to the page. */
const pictures = '../images/operations';

const escapeHtml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A call, which may be broken across lines between its parameters. */
const call = (query) => `<code>/Scaler?${query.split('&').map(escapeHtml).join('<wbr>&amp;')}</code>`;

const anchorOf = (name) => name.replaceAll(/[^A-Za-z0-9]+/g, '-').toLowerCase();
const headingOf = ({ title }) => title.toLowerCase().replaceAll(' ', '-');

const image = ({ file, width, height }, alt) =>
  `<img src="${pictures}/${file}.webp" width="${width}" height="${height}" alt="${escapeHtml(alt)}">`;

/** The description of a name from the code's tables, in which backticks mark code. */
const meaningOf = (name) => escapeHtml(meanings.get(name) ?? '').replaceAll(/`([^`]+)`/g, '<code>$1</code>');

/** The first occurrence of a name has its meaning, and the anchor to which the index links. */
function namesOf(shows, anchored) {
  const repeated = shows.filter((name) => anchored.has(name)).map((name) => `<b><code>${name}</code></b>`);
  const first = shows.filter((name) => !anchored.has(name));
  for (const name of first) anchored.add(name);
  const lines = first.map((name) => `<b id="${anchorOf(name)}"><code>${name}</code></b> — ${meaningOf(name)}.`);
  return [repeated.join(', '), ...lines].filter(Boolean).join('<br>\n');
}

/** A call that is refused, with the error message. */
const refusalText = ({ query, status, sentence }) =>
  `${call(query)}<br>\n<sub>status ${status}</sub></p>\n<p>“${escapeHtml(sentence)}”`;

/** The call below its picture, with the size and type of the response. */
function caption({ query, type }, drawn) {
  const sizes = drawn.map(({ width, height }) => `${width} × ${height}`).join(' and ');
  return `${call(query)}<br>\n<sub>${sizes} pixels, ${type}</sub>`;
}

function cell({ shows, text, pictures: drawn, refusal }, anchored, columns) {
  const [first] = drawn;
  const alt = shows.join(', ') || 'The sample as it is';
  const parts = [
    drawn.map((picture) => image(picture, alt)).join('<br>\n'),
    first && caption(first, drawn),
    refusal && refusalText(refusal),
    shows.length > 0 && namesOf(shows, anchored),
    text,
  ];
  return `<td width="${Math.floor(100 / columns)}%" valign="top">\n<p>${parts.filter(Boolean).join('</p>\n<p>')}</p>\n</td>`;
}

function grid(entries, anchored, columns) {
  const cells = entries.map((entry) => cell(entry, anchored, columns));
  const rows = [];
  for (let at = 0; at < cells.length; at += columns) {
    const row = cells.slice(at, at + columns);
    while (row.length < columns) row.push('<td></td>');
    rows.push(`<tr>\n${row.join('\n')}\n</tr>`);
  }
  return `<table>\n${rows.join('\n')}\n</table>`;
}

const sectionText = ({ title, intro, entries, columns = 2 }, anchored) => `## ${title}

${intro}

${grid(entries, anchored, columns)}
`;

const row = (cells) => `| ${cells.join(' | ')} |`;

const formRow = ({ option, query, status, type, sentence, text }) =>
  row([
    `\`mo=${option}\``,
    text,
    `\`/Scaler?${query}\``,
    [status, type, sentence && `“${sentence}”`].filter(Boolean).join(', '),
  ]);

function errorsText(forms) {
  const cells = errorPictures.map(
    ({ asset, query, text }) =>
      `<td width="33%" valign="top">\n<img src="../../assets/${asset}.png" width="200" alt="${asset}"><br>\n${text}${
        query === undefined ? '' : `<br>\n${call(query)}`
      }\n</td>`,
  );
  return `## Errors

If several forms are given, the first of errimg, errtxt, errcode counts. All have the true status; with the setting
\`digilib.legacyErrorStatus\`, pictures and texts have 200, as digilib sends them. An overloaded server answers 503.

${row(['Option', 'Form', 'Call', 'Answer'])}
${row(['---', '---', '---', '---'])}
${forms.map(formRow).join('\n')}

<table>
<tr>
${cells.join('\n')}
</tr>
</table>
`;
}

function othersText(anchored) {
  const cells = withoutPicture.map(
    ({ shows, text }) => `<tr><td valign="top">${namesOf(shows, anchored)}</td><td valign="top">${text}</td></tr>`,
  );
  return `## Without a picture\n\n<table>\n${cells.join('\n')}\n</table>\n`;
}

/** All names, each linked to its first occurrence. */
function indexOf(forms) {
  const options = new Set(forms.map(({ option }) => `mo=${option}`));
  const link = (name) => `[\`${name}\`](#${options.has(name) ? 'errors' : anchorOf(name)})`;
  const part = (title, names) => `**${title}:** ${names.map(link).join(' ')}`;
  const names = [...meanings.keys()];
  const isOption = (name) => name.startsWith('mo=');
  const isOperator = (name) => name.startsWith('colop=');
  return [
    part(
      'Parameters',
      names.filter((name) => !isOption(name) && !isOperator(name)),
    ),
    part('Options', names.filter(isOption)),
    part('Color operators', names.filter(isOperator)),
  ].join('\n\n');
}

/** The page as Markdown, from the result of `drawAll`. */
export function operationsPage({ sections, forms }) {
  const anchored = new Set();
  const contents = sections.map((section) => `[${section.title}](#${headingOf(section)})`).join(' · ');
  return `<!-- Generated by \`npm run generate\` from scripts/operations/table*.mjs and the tables of src. -->

# The operations of the Scaler

Every operation with a call, its effect, and the server's answer. To see the same pictures, start the server with the bundled
samples (\`npm start\`) and put its address before a call: \`http://127.0.0.1:8080/Scaler?fn=objects/photo-rotated&dw=320\`. The
pictures of this page are stored as WebP.

${contents} · [Errors](#errors) · [Without a picture](#without-a-picture)

${indexOf(forms)}

## Order

Operations are applied in this order, regardless of their order in the address:

\`\`\`text
  area ──▶ scale ──▶ hmir ──▶ vmir ──▶ rot ──▶ rgbm, rgba ──▶ cont, brgt ──▶ colop ──▶ format
   │         │                                                                           │
 wx wy     dw dh ws                                                                   jpg png
 ww wh     mode, q0 … q3                                                              webp
\`\`\`

${sections.map((section) => sectionText(section, anchored)).join('\n')}
${errorsText(forms)}
${othersText(anchored)}`;
}
