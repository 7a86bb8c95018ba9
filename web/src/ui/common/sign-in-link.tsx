/** The link by which a closed page offers the sign-in. */
import { LogIn } from 'lucide';
import type { VNode } from 'preact';
import { message } from '../../messages/messages.ts';
import { signInAddress } from '../../state/session.ts';
import { Icon } from './button.tsx';

/** The address is computed at the click, since a view changes its own all the time. */
export const followSignIn = (event: Event): void => {
  event.preventDefault();
  location.assign(signInAddress());
};

export const SignInLink = (): VNode => (
  <a class="button primary" href="sign-in" onClick={followSignIn}>
    <Icon of={LogIn} size={16} />
    {message('sign-in')}
  </a>
);
