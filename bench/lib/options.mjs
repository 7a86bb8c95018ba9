/** Reads the command’s options. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { BenchFailure } from './failure.mjs';
import { rows, uncachedRows } from './rows.mjs';

const options = {
  quick: { type: 'boolean', default: false },
  growth: { type: 'boolean', default: false },
  room: { type: 'boolean', default: false },
  texts: { type: 'boolean', default: false },
  uncached: { type: 'boolean', default: false },
  rows: { type: 'string' },
  against: { type: 'string' },
  profile: { type: 'string' },
};

function parse(argv) {
  try {
    return parseArgs({ args: argv, options, strict: true }).values;
  } catch (error) {
    throw new BenchFailure(
      `${error.message}. The options are --quick, --rows NAMES, --uncached, --against FOLDER, --profile ROW, --growth, --room and --texts.`,
    );
  }
}

function rowNamed(name, among = rows) {
  const found = among.find((row) => row.name === name);
  if (found) return found;
  throw new BenchFailure(`There is no row ${name}. There are: ${among.map((row) => row.name).join(', ')}.`);
}

/** The folder of another checkout, which must have been built. */
function checkoutAt(folder) {
  const checkout = path.resolve(folder);
  if (existsSync(path.join(checkout, 'dist/cli/main.js'))) return checkout;
  throw new BenchFailure(`${folder} is not a checkout of Lectern that was built; run npm ci and npm run build there.`);
}

/** The task: `growth`, `room`, `texts`, `profile` with its row, or `compare` with its rows, where `all` tells whether these are all rows. */
export function readOptions(argv) {
  const { quick, growth, room, texts, rows: names, profile, against, uncached } = parse(argv);
  if ([growth, room, texts, names !== undefined, profile !== undefined].filter(Boolean).length > 1) {
    throw new BenchFailure('--growth, --room, --texts, --rows and --profile exclude each other.');
  }
  const isComparison = !growth && !room && !texts && profile === undefined;
  if (against !== undefined && !isComparison) throw new BenchFailure('--against is for the rows of the comparison.');
  if (uncached && !isComparison) throw new BenchFailure('--uncached is for the rows of the comparison.');
  if (growth) return { kind: 'growth', quick };
  if (room) return { kind: 'room', quick };
  if (texts) return { kind: 'texts', quick };
  if (profile !== undefined) return { kind: 'profile', row: rowNamed(profile), quick };
  const among = uncached ? uncachedRows : rows;
  const chosen = names === undefined ? among : names.split(',').map((name) => rowNamed(name.trim(), among));
  const task = { kind: 'compare', rows: chosen, all: names === undefined, quick, uncached };
  return against === undefined ? task : { ...task, against: checkoutAt(against) };
}
