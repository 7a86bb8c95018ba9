/** The settings with which Lectern is measured: those that a site would have. */
import path from 'node:path';
import { settingsSchema } from '../../dist/config/settings.js';

/** What a site would say beside its folders; where the caches are is known only when the run has its folder. */
const wanted = (runFolder) => ({
  cache: { memoryBytes: 64e6, directory: path.join(runFolder, 'derivatives'), maxBytes: 2e9 },
  pyramids: { directory: path.join(runFolder, 'pyramids') },
});

/** The members of an object schema, also behind a default or an optional; undefined of others. */
function shapeOf(schema) {
  if (schema?.shape !== undefined) return schema.shape;
  return schema?._zod?.def.innerType === undefined ? undefined : shapeOf(schema._zod.def.innerType);
}

/** What of the values the schema knows: it is strict, and a setting may not be there or have another name. */
function known(values, schema) {
  const shape = shapeOf(schema);
  if (shape === undefined) return values;
  const entries = Object.entries(values).filter(([name]) => shape[name] !== undefined);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'object' ? known(value, shape[name]) : value]),
  );
}

/** The settings, as the JSON file of --config says them. */
export const siteSettings = (runFolder) => known(wanted(runFolder), settingsSchema);

/** The same for the report, without the paths of this run. */
export function describeSettings() {
  const text = JSON.stringify(siteSettings('<run>'));
  return text === '{}' ? 'as it is by default' : text;
}
