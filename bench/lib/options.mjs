/** Reads the command’s options. */
import { parseArgs } from 'node:util';
import { BenchFailure } from './failure.mjs';
import { rows } from './rows.mjs';

const options = {
  quick: { type: 'boolean', default: false },
  growth: { type: 'boolean', default: false },
  room: { type: 'boolean', default: false },
  rows: { type: 'string' },
  profile: { type: 'string' },
};

function parse(argv) {
  try {
    return parseArgs({ args: argv, options, strict: true }).values;
  } catch (error) {
    throw new BenchFailure(
      `${error.message}. The options are --quick, --rows NAMES, --profile ROW, --growth and --room.`,
    );
  }
}

function rowNamed(name) {
  const found = rows.find((row) => row.name === name);
  if (found) return found;
  throw new BenchFailure(`There is no row ${name}. There are: ${rows.map((row) => row.name).join(', ')}.`);
}

/** The task: `growth`, `room`, `profile` with its row, or `compare` with its rows, where `all` tells whether these are all rows. */
export function readOptions(argv) {
  const { quick, growth, room, rows: names, profile } = parse(argv);
  if ([growth, room, names !== undefined, profile !== undefined].filter(Boolean).length > 1) {
    throw new BenchFailure('--growth, --room, --rows and --profile exclude each other.');
  }
  if (growth) return { kind: 'growth', quick };
  if (room) return { kind: 'room', quick };
  if (profile !== undefined) return { kind: 'profile', row: rowNamed(profile), quick };
  const chosen = names === undefined ? rows : names.split(',').map((name) => rowNamed(name.trim()));
  return { kind: 'compare', rows: chosen, all: names === undefined, quick };
}
