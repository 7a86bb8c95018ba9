// Compiles the programs in `assembly` to WebAssembly.
import asc from 'assemblyscript/asc';

/** The programs, and the modules that have them as text: these are part of the repository, since tests run from the sources. */
const programs = [['assembly/coded-scan.ts', 'src/render/jpeg/coded-scan-wasm.ts']];

const options = [
  '--optimizeLevel',
  '3',
  '--runtime',
  'stub',
  '--noAssert',
  '--initialMemory',
  '3',
  '--outFile',
  'program.wasm',
];

async function compile(source) {
  let program;
  const writeFile = (_name, content) => {
    program = Buffer.from(content);
  };
  const { error, stderr } = await asc.main([source, ...options], { writeFile });
  if (error) throw new Error(`${source} can’t be compiled: ${stderr.toString()}`);
  return program;
}

const moduleOf = (
  source,
  program,
) => `/** The program of ${source}, which \`npm run generate\` compiles to WebAssembly, in base64. */
export const program =
  '${program.toString('base64')}';
`;

/** Each module with its text. Paths are relative to the working directory, which has to be the project. */
export async function assembledModules() {
  return Promise.all(programs.map(async ([source, name]) => [name, moduleOf(source, await compile(source))]));
}
