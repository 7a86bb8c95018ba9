// What becomes of the parameters of a digilib-config.xml, and the test that reads each of them.
import { digilibParameters } from '../../dist/config/digilib-config/config-parameters.js';
import { shownBy } from './evidence.mjs';
import { differs, notUsed, setting, works } from './status.mjs';

function statusOf(rule) {
  if (rule.kind === 'always') return differs(`always \`${rule.value}\`: ${rule.reason}`);
  if (rule.kind === 'unused') return notUsed(rule.reason);
  const exceptions = Object.entries(rule.except ?? {}).map(([value, why]) => `; for \`${value}\`, ${why}`);
  return `${works}: ${setting(rule.setting)}${exceptions.join('')}`;
}

/** Parameter, status, test. */
export const configurationRows = () =>
  Object.entries(digilibParameters).map(([name, rule]) => [
    `\`${name}\``,
    statusOf(rule),
    shownBy('test/unit/config/digilib-config/read.test.ts', `'${name}': [`),
  ]);
