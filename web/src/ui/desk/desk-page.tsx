/** The reader's desk: books to go on with, bookmarks and details, notes, and a backup of it all. */
import { useSignal } from '@preact/signals';
import { Download } from 'lucide';
import type { VNode } from 'preact';
import { deskMessage } from '../../messages/desk-messages.ts';
import { message } from '../../messages/messages.ts';
import type { DeskRoute } from '../../model/address/routes.ts';
import { readBackup } from '../../model/desk/desk.ts';
import { parseJson } from '../../model/json-value.ts';
import { backupNow, restore } from '../../state/desk/desk.ts';
import { Button } from '../common/button.tsx';
import { saveFile } from '../common/elements.ts';
import { OpenFileButton } from '../common/open-file-button.tsx';
import { useDocumentTitle } from '../common/picture.tsx';
import { SiteHeader } from '../common/site-header.tsx';
import { KeptSection } from './kept-section.tsx';
import { NotesSection } from './notes-section.tsx';
import { RecentSection } from './recent-section.tsx';

function saveBackup(): void {
  const text = `${JSON.stringify(backupNow(), undefined, 2)}\n`;
  saveFile(new Blob([text], { type: 'application/json' }), `desk-${new Date().toISOString().slice(0, 10)}.json`);
}

interface BackupProps {
  readonly onRestored: () => void;
}

function BackupSection({ onRestored }: BackupProps): VNode {
  const result = useSignal('');
  const read = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const backup = readBackup(parseJson(await file.text()));
    if (backup === undefined) result.value = deskMessage('no-backup');
    else {
      result.value = deskMessage(restore(backup) ? 'restored' : 'restored-not');
      onRestored();
    }
  };
  return (
    <section class="no-print" aria-labelledby="desk-backup">
      <h2 id="desk-backup">{deskMessage('backup')}</h2>
      <p class="soft">{deskMessage('backup-why')}</p>
      <div class="button-row row wrap">
        <Button icon={Download} onClick={saveBackup}>
          {deskMessage('backup-save')}
        </Button>
        <OpenFileButton
          name={deskMessage('backup-restore')}
          accept=".json,application/json"
          onFile={(file) => void read(file)}
        />
      </div>
      <p role="status">{result.value}</p>
    </section>
  );
}

export function DeskPage({ route }: { readonly route: DeskRoute }): VNode {
  useDocumentTitle(message('desk'));
  /** Counts the backups that were restored, after which all is read anew. */
  const restored = useSignal(0);
  return (
    <div class="browse desk">
      <SiteHeader />
      <main id="content" tabIndex={-1}>
        <h1 tabIndex={-1}>{message('desk')}</h1>
        <p class="soft no-print">{deskMessage('intro')}</p>
        <RecentSection />
        <KeptSection />
        <NotesSection key={restored.value} route={route} />
        <BackupSection
          onRestored={() => {
            restored.value += 1;
          }}
        />
      </main>
    </div>
  );
}
