/** Notices that notes came with the address, or that the browser does not store them. */
import type { VNode } from 'preact';
import { message } from '../../messages/message.ts';
import { adoptVisiting, isStored, isVisiting, showOwn } from '../../state/notes/notes.ts';
import { Button } from '../common/button.tsx';

export const Notices = (): VNode => (
  <>
    {isVisiting.value && (
      <div class="visiting" role="status">
        <p>{message('visiting-notes')}</p>
        <div class="button-row">
          <Button onClick={showOwn}>{message('visiting-show-own')}</Button>
          <Button onClick={adoptVisiting}>{message('visiting-add')}</Button>
        </div>
      </div>
    )}
    {!isStored.value && (
      <p class="visiting" role="alert">
        {message('notes-not-stored')}
      </p>
    )}
  </>
);
