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

function parse(given) {
  try {
    return parseArgs({ args: given, options, strict: true }).values;
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

/** What is to be done: `growth`, `room`, `profile` with its row, or `compare` with its rows, of which `all` says whether all. */
export function readOptions(given) {
  const { quick, growth, room, rows: names, profile } = parse(given);
  if ([growth, room, names !== undefined, profile !== undefined].filter(Boolean).length > 1) {
    throw new BenchFailure('--growth, --room, --rows and --profile are different things: give one of them.');
  }
  if (growth) return { kind: 'growth', quick };
  if (room) return { kind: 'room', quick };
  if (profile !== undefined) return { kind: 'profile', row: rowNamed(profile), quick };
  const chosen = names === undefined ? rows : names.split(',').map((name) => rowNamed(name.trim()));
  return { kind: 'compare', rows: chosen, all: names === undefined, quick };
}
