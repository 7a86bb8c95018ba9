/** The header of the library's pages: the wordmark, the page's own tools, and the preferences. */
import '../../styles/site-header.css';
import { Settings2 } from 'lucide';
import type { ComponentChildren, VNode } from 'preact';
import { pageSettings } from '../../data/page-settings.ts';
import { message } from '../../messages/message.ts';
import { folderRoute } from '../../model/address/routes.ts';
import { DropDown } from './drop-down.tsx';
import { Preferences } from './preferences.tsx';
import { RouteLink } from './route-link.tsx';
import { siteName } from './site-name.ts';

const Mark = (): VNode => (
  <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <path d="M4 8 L28 4 V18 L4 22 Z" fill="currentColor" />
    <path d="M16 20 V27 M9 28 H23" stroke="currentColor" stroke-width="3" stroke-linecap="round" />
  </svg>
);

const Wordmark = (): VNode => (
  <RouteLink class="wordmark" to={folderRoute('')}>
    {pageSettings.logo === null ? <Mark /> : <img src={pageSettings.logo} alt="" />}
    <span>{siteName()}</span>
  </RouteLink>
);

export const SiteHeader = ({ children }: { readonly children?: ComponentChildren }): VNode => (
  <header class="site-header">
    <Wordmark />
    {children}
    <DropDown icon={Settings2} name={message('main-menu')}>
      <Preferences />
    </DropDown>
  </header>
);
