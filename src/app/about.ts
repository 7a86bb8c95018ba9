/** What the package says of itself, read from package.json. */
import { readFileSync } from 'node:fs';
import type { About } from '../http/about.ts';

export const about: About = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
