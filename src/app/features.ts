/** The features of this server, in the order in which they are added: each may use what those before it offer. */
import type { Feature } from '../core/feature.ts';
import type { Settings } from './settings/settings.ts';

interface ListedFeature {
  readonly name: string;
  readonly load: () => Promise<{ readonly feature: Feature<Settings> }>;
}

export const features: readonly ListedFeature[] = [
  { name: 'catalogue', load: () => import('../features/catalogue/feature.ts') },
  { name: 'sign-in', load: () => import('../features/sign-in/feature.ts') },
  { name: 'iiif-auth', load: () => import('../features/iiif-auth/feature.ts') },
  { name: 'audit', load: () => import('../features/audit/feature.ts') },
  { name: 'signed-links', load: () => import('../features/signed-links/feature.ts') },
  { name: 'shield', load: () => import('../features/shield/feature.ts') },
  { name: 'iiif-image', load: () => import('../features/iiif-image/feature.ts') },
  { name: 'texts', load: () => import('../features/texts/feature.ts') },
  { name: 'media', load: () => import('../features/media/feature.ts') },
  { name: 'tours', load: () => import('../features/tours/feature.ts') },
  { name: 'digilib', load: () => import('../features/digilib/feature.ts') },
  { name: 'search', load: () => import('../features/search/feature.ts') },
  { name: 'documents', load: () => import('../features/documents/feature.ts') },
  { name: 'presentation', load: () => import('../features/presentation/feature.ts') },
  { name: 'discovery', load: () => import('../features/discovery/feature.ts') },
  { name: 'purge', load: () => import('../features/purge/feature.ts') },
  { name: 'reading-room', load: () => import('../features/reading-room/feature.ts') },
  { name: 'duty', load: () => import('../features/duty/feature.ts') },
  { name: 'operations', load: () => import('../features/operations/feature.ts') },
];

/** Loads the features but those that are left out; what these need is not loaded. */
export async function loadFeatures(withoutFeatures: readonly string[]): Promise<readonly Feature<Settings>[]> {
  const loaded = features.filter(({ name }) => !withoutFeatures.includes(name)).map(({ load }) => load());
  return (await Promise.all(loaded)).map(({ feature }) => feature);
}
