// The table of the rooms in CONTRIBUTING.md, from the rules of their imports.
import { rooms } from '../import-rules.mjs';

/** Several folders with the same parent as one text. */
function folderOf(paths) {
  const [parent] = paths.map((path) => path.slice(0, path.lastIndexOf('/')));
  const last = paths.map((path) => path.slice(parent.length + 1));
  return `\`${paths.length === 1 ? paths[0] : `${parent}/{${last.join(',')}}`}\``;
}

/** The cells of each row; rooms with the same purpose share one. */
function rows() {
  const pathsOf = new Map();
  for (const { path, purpose, isPure } of rooms) {
    const text = purpose + (isPure ? '; pure' : '');
    pathsOf.set(text, [...(pathsOf.get(text) ?? []), path]);
  }
  return [...pathsOf].map(([text, paths]) => [folderOf(paths), text]);
}

/** A table whose columns are padded as the formatter of this repository does it. */
function table() {
  const all = [['Folder', 'What it does'], ...rows()];
  const widths = [0, 1].map((column) => Math.max(...all.map((cells) => cells[column].length)));
  const [head, ...others] = all.map(
    (cells) => `| ${cells.map((cell, index) => cell.padEnd(widths[index])).join(' | ')} |`,
  );
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...others].join('\n');
}

const section = /(<!-- rooms: generated from scripts\/import-rules\.mjs -->\n)[\s\S]*?(\n<!-- end of rooms -->)/;

/** CONTRIBUTING.md with its table as the rules have it now. */
export const withRooms = (text) => text.replace(section, (_, begin, end) => `${begin}\n${table()}\n${end}`);
