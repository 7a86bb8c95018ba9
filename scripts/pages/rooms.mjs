// The table of the rooms in CONTRIBUTING.md, from the rules of their imports.
import { rooms } from '../import-rules.mjs';

const row = (cells) => `| ${cells.join(' | ')} |`;
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
  const inImage = names.filter((name) => name.startsWith('src/image/'));
  const layer = layers.findLastIndex((_, index) => layers.slice(0, index + 1).every((one) => paths.includes(one)));
  const withLayers = layer < 1 ? paths : merge(paths, layers.slice(0, layer + 1), `all up to ${code(layers[layer])}`);
  const merged = merge(
    [below('src/cli'), below('src/app')].reduce((list, group) => merge(list, group, 'everything above'), withLayers),
    inImage,
    'src/image',
  );
  return merged.map((name) => (/^(?:src|web)\//.test(name) ? code(name.replace(/^src\//, '')) : name));
}

function importsOf({ imports, types = [] }) {
  const all = [...listed(imports), ...(types.length > 0 ? [`types of ${listed(types).join(', ')}`] : [])];
  return all.length > 0 ? all.join(', ') : 'nothing of ours';
}

/** The rows, those with the same purpose and imports in one. */
function rows() {
  const merged = new Map();
  for (const room of rooms) {
    const rest = row([room.purpose + (room.isPure ? '; pure' : ''), importsOf(room)]);
    merged.set(rest, [...(merged.get(rest) ?? []), room.path]);
  }
  return [...merged].map(([rest, paths]) => `| ${paths.map(code).join(', ')} ${rest}`);
}

const table = () => [row(['Folder', 'What it does', 'May import']), row(['---', '---', '---']), ...rows()].join('\n');

const section = /(<!-- rooms: generated from scripts\/import-rules\.mjs -->\n)[\s\S]*?(\n<!-- end of rooms -->)/;

/** CONTRIBUTING.md with its table as the rules have it now. */
export const withRooms = (text) => text.replace(section, (_, begin, end) => `${begin}\n${table()}\n${end}`);
