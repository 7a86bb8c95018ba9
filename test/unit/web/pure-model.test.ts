import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const model = path.join(root, 'web', 'src', 'model');

/** Pure folders of the server, which the browser may load. */
const shared = [
  'src/core/image/',
  'src/features/digilib/',
  'src/features/iiif-image/',
  'src/features/presentation/model/',
];

const textOf = (file: string): string => readFileSync(file, 'utf8');

const targetsOf = (file: string): readonly string[] =>
  [...textOf(file).matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)';$/gms)].map(([, target = '']) => target);

const inModel = (file: string): boolean => file.startsWith(model + path.sep);

/** All files that the browser loads for the model, including those of the server. */
function reachedFrom(files: readonly string[], visited = new Set(files)): ReadonlySet<string> {
  const next = files.flatMap((file) =>
    targetsOf(file)
      .filter((target) => target.startsWith('.'))
      .map((target) => path.resolve(path.dirname(file), target)),
  );
  const fresh = [...new Set(next)].filter((file) => !visited.has(file));
  return fresh.length === 0 ? visited : reachedFrom(fresh, new Set([...visited, ...fresh]));
}

const files = readdirSync(model, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => path.join(model, name));
const reached = [...reachedFrom(files)];
const nameOf = (file: string): string => path.relative(root, file).split(path.sep).join('/');

it('finds the model and what it shares with the server', () => {
  expect(files.length).toBeGreaterThan(20);
  expect(reached.map(nameOf)).toContain('src/core/image/model/answer-limits.ts');
});

it('imports pure folders only', () => {
  const others = reached.filter((file) => !inModel(file)).map(nameOf);
  expect(others.filter((name) => !shared.some((folder) => name.startsWith(folder)))).toEqual([]);
});

it('imports no packages and no modules of Node', () => {
  const packages = reached.flatMap((file) => targetsOf(file).filter((target) => !target.startsWith('.')));
  expect(packages).toEqual([]);
});

it('uses no document, network, clock or random numbers', () => {
  const impure = /\b(document\.|fetch\(|localStorage|Date\.now|new Date|Math\.random|console\.|Buffer\.|process\.)/;
  expect(reached.filter((file) => impure.test(textOf(file))).map(nameOf)).toEqual([]);
});
