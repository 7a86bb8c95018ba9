/** Measures how costs grow with more pixels and more files; prints the results and writes them to growth.md. */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { startLoad } from '../load.mjs';
import { describeMachine, loadAverage } from '../machine.mjs';
import { thisCheckout } from '../servers/lectern.mjs';
import { describeSettings } from '../settings.mjs';
import { fileTable, measureFileGrowth } from './files.mjs';
import { measurePixelGrowth, pixelTable } from './pixels.mjs';

const growthFile = fileURLToPath(new URL('../../growth.md', import.meta.url));
const full = { count: 300, counts: [1e3, 1e4, 1e5, 1e6] };
const quick = { count: 60, counts: [1e3, 1e4] };

/** Prints each row as soon as it is measured; resolves to all lines. */
async function tabulate(title, table, measure) {
  const lines = [title, table.head];
  console.log(`\n${lines.join('\n')}`);
  await measure((row) => {
    lines.push(table.row(row));
    console.log(lines.at(-1));
  });
  return lines;
}

const page = (facts, command, tables) => `# The cost of growth

Written by \`${command}\` on ${new Date().toISOString().slice(0, 10)}; README.md explains the columns.

${facts.map((fact) => `- ${fact}`).join('\n')}

${tables.map((lines) => `\`\`\`text\n${lines.join('\n')}\n\`\`\``).join('\n\n')}
`;

/** Measures Lectern alone, on temporary libraries. */
export async function runGrowth({ quick: isQuick }, runFolder) {
  const effort = isQuick ? quick : full;
  const facts = [
    ...describeMachine(),
    `Lectern: ${await describeSettings(thisCheckout)}`,
    `Load average before the run ${loadAverage()}`,
  ];
  console.log(facts.join('\n'));
  const load = startLoad({ wrk: undefined, runFolder });
  const context = { ...effort, load, runFolder };
  const pixels = await tabulate('Tiles of pyramids', pixelTable, (report) => measurePixelGrowth(context, report));
  const files = await tabulate('Libraries of many files', fileTable, (report) => measureFileGrowth(context, report));
  await load.close();
  await writeFile(growthFile, page(facts, `npm run bench -- --growth${isQuick ? ' --quick' : ''}`, [pixels, files]));
  console.log('\nWritten to bench/growth.md.');
}
