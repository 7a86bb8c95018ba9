/** Sign in, who is signed in, and sign out; nothing where the server has no sign-in. */
import { CircleUserRound, LogIn, LogOut } from 'lucide';
import type { VNode } from 'preact';
import { pageSettings } from '../../data/page-settings.ts';
import { message } from '../../messages/messages.ts';
import { session, signOut } from '../../state/session.ts';
import { Button, Icon } from './button.tsx';
import { DropDown } from './dialog.tsx';
import { followSignIn } from './sign-in-link.tsx';

export function Account(): VNode | null {
  const now = session.value;
  if (!pageSettings.signsIn || now === undefined) return null;
  if (now.name === null) {
    return (
      <a
        class="icon-button"
        href="sign-in"
        onClick={followSignIn}
        aria-label={message('sign-in')}
        title={message('sign-in')}
      >
        <Icon of={LogIn} />
      </a>
    );
  }
  return (
    <DropDown icon={CircleUserRound} name={message('account', { name: now.name })}>
      <p class="account-name">{now.name}</p>
      <Button icon={LogOut} onClick={() => void signOut()}>
        {message('sign-out')}
      </Button>
    </DropDown>
  );
}
