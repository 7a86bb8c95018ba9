/** The settings with which Lectern is measured: those of a typical site. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** The settings of a typical site, apart from its folders. */
const typicalSettings = (runFolder) => ({
  cache: { memoryBytes: 64e6, directory: path.join(runFolder, 'derivatives'), maxBytes: 2e9 },
  pyramids: { directory: path.join(runFolder, 'pyramids') },
  // All rows come from one address, which may have pyramids of some hundred scans built in an hour.
  shield: { budgets: { processorSeconds: 100_000 } },
});

/** The members of an object schema, also inside a default or an optional; undefined for other schemas. */
function shapeOf(schema) {
  if (schema?.shape !== undefined) return schema.shape;
  return schema?._zod?.def.innerType === undefined ? undefined : shapeOf(schema._zod.def.innerType);
}

/** The values that the schema has: it is strict, and another version may lack a setting or name it differently. */
function supported(values, schema) {
  const shape = shapeOf(schema);
  if (shape === undefined) return values;
  const entries = Object.entries(values).filter(([name]) => shape[name] !== undefined);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'object' ? supported(value, shape[name]) : value]),
  );
}

/** The content of the JSON file for --config, for the program of a checkout that was built. */
export async function siteSettings(checkout, runFolder) {
  const files = ['dist/app/settings/settings.js', 'dist/config/settings.js'].map((file) => path.join(checkout, file));
  const { settingsSchema } = await import(pathToFileURL(files.find(existsSync) ?? files[0]).href);
  return supported(typicalSettings(runFolder), settingsSchema);
}

/** The settings for the report, without the paths of this run. */
export async function describeSettings(checkout) {
  const text = JSON.stringify(await siteSettings(checkout, '<run>'));
  return text === '{}' ? 'defaults' : text;
}
