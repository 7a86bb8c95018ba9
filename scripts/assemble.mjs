// Compiles the programs in `assembly` to WebAssembly; with --check it writes nothing, and fails if one of the modules is stale.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

/** The programs, and the modules that have them as text: these are part of the repository, since tests run from the sources. */
const programs = [
  ['packages/jpeg/assembly/coded-scan.ts', 'packages/jpeg/src/coded-scan-wasm.ts'],
  ['assembly/vector-rows.ts', 'src/core/render/resample/vector-rows-wasm.ts'],
];

const options = '--optimizeLevel 3 --runtime stub --noAssert --enable simd --initialMemory 3 --outFile program.wasm';

async function compile(source) {
  let program;
  const writeFile = (_name, content) => {
    program = Buffer.from(content);
  };
  const { error, stderr } = await asc.main([source, ...options.split(' ')], { writeFile });
  if (error) throw new Error(`${source} can’t be compiled: ${stderr.toString()}`);
  return program;
}

const moduleOf = (
  source,
  program,
) => `/** The program of ${source}, which \`npm run assemble\` compiles to WebAssembly, in base64. */
export const program =
  '${program.toString('base64')}';
`;

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
for (const [source, name] of programs) {
  const text = moduleOf(source, await compile(source));
  if (existsSync(name) && readFileSync(name, 'utf8') === text) continue;
  if (process.argv.includes('--check')) {
    console.error(`${name} is stale; run: npm run assemble`);
    process.exitCode = 1;
  } else {
    writeFileSync(name, text);
    console.log(`${name} written`);
  }
}
