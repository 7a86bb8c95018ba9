/** The options of the page that embeds the viewer. */
import { signal } from '@preact/signals';
import { parseEmbedOptions } from '../model/embed-options.ts';

export const embedOptions = signal(parseEmbedOptions(location.hash.slice(1)));
