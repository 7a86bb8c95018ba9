// The table of the rooms in CONTRIBUTING.md, from the rules of their imports.
import { rooms } from '../import-rules.mjs';

const code = (text) => `\`${text}\``;
const names = rooms.map(({ path }) => path);

/** The rooms of the reading room up to the one that all pages share, from the lowest to the highest. */
const layers = names.slice(names.indexOf('web/src/model'), names.indexOf('web/src/ui/common') + 1);

/** Replaces rooms by one text, where all of them are listed. */
function merge(list, group, text) {
  const [first] = group;
  if (!group.every((one) => list.includes(one))) return list;
  return list.flatMap((one) => (one === first ? [text] : group.includes(one) ? [] : [one]));
}

/** The rooms as the table shows them: folders in place of all rooms in them, and the layers of the reading room as one. */
function listed(paths) {
  const below = (name) => names.slice(0, names.indexOf(name));
  const inImage = names.filter((name) => name.startsWith('src/core/image/'));
  const layer = layers.findLastIndex((_, index) => layers.slice(0, index + 1).every((one) => paths.includes(one)));
  const withLayers =
    layer < 1
      ? paths
      : merge(paths, layers.slice(0, layer + 1), `all up to ${code(layers[layer].replace('web/src/', ''))}`);
  const groups = [
    [below('src/cli'), 'everything above'],
    [below('src/app'), 'everything above'],
    [names.filter((name) => /^src\/core(?:\/|$)/.test(name)), 'all of `core`'],
    [names.filter((name) => name.startsWith('src/features/')), 'the features'],
    [inImage, 'src/core/image'],
  ];
  const merged = groups.reduce((list, [group, text]) => merge(list, group, text), withLayers);
  return merged.map((name) => (/^(?:src|web)\//.test(name) ? code(name.replace(/^(?:web\/)?src\//, '')) : name));
}

function importsOf({ imports, types = [] }) {
  const all = [...listed(imports), ...(types.length > 0 ? [`types of ${listed(types).join(', ')}`] : [])];
  return all.length > 0 ? all.join(', ') : 'nothing of ours';
}

/** Several folders with the same parent as one text. */
function folderOf(paths) {
  const [parent] = paths.map((path) => path.slice(0, path.lastIndexOf('/')));
  const last = paths.map((path) => path.slice(parent.length + 1));
  return code(paths.length === 1 ? paths[0] : `${parent}/{${last.join(',')}}`);
}

/** The cells of each row; rooms with the same purpose and imports share one. */
function rows() {
  const pathsOf = new Map();
  for (const room of rooms) {
    const key = JSON.stringify([room.purpose + (room.isPure ? '; pure' : ''), importsOf(room)]);
    pathsOf.set(key, [...(pathsOf.get(key) ?? []), room.path]);
  }
  return [...pathsOf].map(([key, paths]) => [folderOf(paths), ...JSON.parse(key)]);
}

/** A table whose columns are padded as the formatter of this repository does it. */
function table() {
  const all = [['Folder', 'What it does', 'May import'], ...rows()];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((cells) => cells[column].length)));
  const [head, ...others] = all.map(
    (cells) => `| ${cells.map((cell, index) => cell.padEnd(widths[index])).join(' | ')} |`,
  );
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...others].join('\n');
}

const section = /(<!-- rooms: generated from scripts\/import-rules\.mjs -->\n)[\s\S]*?(\n<!-- end of rooms -->)/;

/** CONTRIBUTING.md with its table as the rules have it now. */
export const withRooms = (text) => text.replace(section, (_, begin, end) => `${begin}\n${table()}\n${end}`);
