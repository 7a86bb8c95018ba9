/** The head of the library's pages: whose house it is, the search, and what the reader prefers. */
import '../../styles/site-header.css';
import type { ComponentChildren, VNode } from 'preact';
import { folderRoute } from '../../model/routes.ts';
import { PreferencesMenu } from './preferences-menu.tsx';
import { RouteLink } from './route-link.tsx';

const Wordmark = (): VNode => (
  <RouteLink class="wordmark" to={folderRoute('')}>
    <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path d="M4 8 L28 4 V18 L4 22 Z" fill="currentColor" />
      <path d="M16 20 V27 M9 28 H23" stroke="currentColor" stroke-width="3" stroke-linecap="round" />
    </svg>
    <span>Lectern</span>
  </RouteLink>
);

export const SiteHeader = ({ children }: { readonly children?: ComponentChildren }): VNode => (
  <header class="site-header">
    <Wordmark />
    {children}
    <PreferencesMenu />
  </header>
);
