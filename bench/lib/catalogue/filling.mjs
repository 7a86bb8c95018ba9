/** Fills the catalogue by `lectern catalogue inventory`, and measures how long it takes and how large it gets. */
import path from 'node:path';
import { BenchFailure } from '../failure.mjs';
import { watchMemory } from '../memory.mjs';
import { startProgram } from '../processes.mjs';
import { thisCheckout } from '../servers/lectern.mjs';

const steps = { 'sorting and counting': 'sorted', 'reading the metadata': 'described' };

const sizesSql = `
  select sum(pg_table_size(c.oid))::float8 as tables, sum(pg_indexes_size(c.oid))::float8 as indexes,
    pg_database_size(current_database())::float8 as database
  from pg_class c where c.relnamespace = 'lectern'::regnamespace and c.relkind = 'r'`;

const largestSql = `
  select relname as name, pg_relation_size(oid)::float8 as bytes from pg_class
  where relnamespace = 'lectern'::regnamespace and relkind in ('r', 'i') order by 2 desc limit 8`;

/** Resolves to the seconds of each step, and the most memory that the command had. */
export async function fill(settingsFile, manifest) {
  const program = path.join(thisCheckout, 'bin/lectern.cjs');
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  const times = {};
  let output = '';
  const child = startProgram(
    process.execPath,
    [program, 'catalogue', 'inventory', manifest, '--config', settingsFile],
    {
      onText(chunk) {
        output = (output + chunk).slice(-4000);
        process.stderr.write(chunk);
        for (const [text, name] of Object.entries(steps)) if (output.includes(text)) times[name] ??= seconds();
      },
    },
  );
  const memory = watchMemory([{ name: 'command', pids: [child.pid] }]);
  const code = await new Promise((resolve) => child.once('exit', resolve));
  const { bytes } = memory.stop().get('command');
  if (code !== 0) throw new BenchFailure(`The catalogue was not filled.\n${output}`);
  return { readSeconds: times.sorted, mergedSeconds: times.described, seconds: seconds(), memoryBytes: bytes };
}

/** Bytes of tables and of indexes, and the largest of them. */
export async function sizesOf({ query }) {
  const [sizes] = await query(sizesSql);
  return { ...sizes, largest: await query(largestSql) };
}
