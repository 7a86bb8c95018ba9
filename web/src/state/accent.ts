/** Gives the pages the site's accent color. */
import { pageSettings } from '../data/page-settings.ts';

/** By script, since the policy of the pages forbids inline styles. */
export function applyAccent(): void {
  if (pageSettings.accent === null) return;
  const { style } = document.documentElement;
  style.setProperty('--accent-light', pageSettings.accent.light);
  style.setProperty('--accent-dark', pageSettings.accent.dark);
}
