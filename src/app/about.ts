/** Name, version and description of this program, read from package.json. */
import { readFileSync } from 'node:fs';
import type { About } from '../core/http/about.ts';

export const about: About = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
