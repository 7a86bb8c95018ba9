/** The light table: images, details and notes that lie where the reader puts them. */
import { useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { isTableKey, tableMessage } from '../../messages/light-table-messages.ts';
import { message } from '../../messages/messages.ts';
import { parseRoute } from '../../model/address/address.ts';
import { type LightTableRoute, lightTableRoute } from '../../model/address/routes.ts';
import { maxItems } from '../../model/light-table/table.ts';
import { withSources } from '../../model/light-table/table-query.ts';
import type { Rect } from '../../model/view-state.ts';
import { addWaiting, items, lastTable, layWaiting, openTable, table } from '../../state/light-table/table.ts';
import { forgetProblems, knownImages, needImages } from '../../state/light-table/table-images.ts';
import { goTo } from '../../state/route.ts';
import { Button } from '../common/button.tsx';
import { Dialog } from '../common/dialog.tsx';
import { ImagePicker } from '../common/image-picker.tsx';
import { useDocumentTitle } from '../common/picture.tsx';
import { SiteHeader } from '../common/site-header.tsx';
import { keyName } from '../common/words.ts';
import { ChosenBar } from './chosen-bar.tsx';
import { isAdding, said, showsKeys } from './commands.ts';
import { Surface } from './surface.tsx';
import { OpenFile, TableBar } from './table-bar.tsx';
import { keyRows } from './table-keys.ts';

/** Requests what is not known of the images, and lays down those that wait. */
function useImages(): void {
  useEffect(() => {
    forgetProblems();
  }, []);
  useSignalEffect(() => {
    const { items: all, waiting } = table.value;
    const paths = [
      ...all.flatMap((item) => (item.kind === 'image' ? [item.path] : [])),
      ...waiting.map(({ path }) => path),
    ];
    const ending = new AbortController();
    void needImages(paths, ending.signal);
  });
  useSignalEffect(() => {
    knownImages.value;
    table.value;
    layWaiting();
  });
}

/** The detail that the typed address of a view shows; null for a whole image. */
function regionIn(typed: string): Rect | null {
  const base = document.baseURI;
  const [path = '', query = ''] = typed.trim().startsWith(base) ? typed.trim().slice(base.length).split('?', 2) : [];
  const route = parseRoute({ path, query, fragment: '' });
  if (route.kind !== 'view' || route.state.mode !== 'fit') return null;
  const { region } = route.state;
  return region.width < 1 || region.height < 1 ? region : null;
}

function addChosen(path: string, typed?: string): void {
  const now = table.peek();
  if (now.items.length + now.waiting.length >= maxItems) {
    said.value = tableMessage('full', { count: maxItems });
    return;
  }
  addWaiting(withSources(now, [{ path, region: typed === undefined ? null : regionIn(typed) }]));
  said.value = tableMessage('added', { label: path.split('/').at(-1) ?? path });
}

/** Where the picker begins: in the folder of what was added last. */
const nearFolder = (): string => {
  const last = table.peek().items.findLast((item) => item.kind === 'image');
  return last?.kind === 'image' ? last.path.split('/').slice(0, -1).join('/') : '';
};

const Adding = (): VNode => (
  <Dialog
    title={tableMessage('add')}
    onClose={() => {
      isAdding.value = false;
    }}
  >
    <p role="status">{said.value}</p>
    <ImagePicker folder={nearFolder()} onChoose={addChosen} />
  </Dialog>
);

const KeyHelp = (): VNode => (
  <Dialog
    title={tableMessage('keys-title')}
    onClose={() => {
      showsKeys.value = false;
    }}
  >
    <dl class="shortcuts">
      {keyRows.map(([keys, name]) => (
        <div key={name}>
          <dt>
            {keys.map((key) => (
              <kbd key={key}>{keyName(key)}</kbd>
            ))}
          </dt>
          <dd>{isTableKey(name) ? tableMessage(name) : message(name)}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
);

function Empty(): VNode {
  const last = lastTable();
  return (
    <section class="table-empty">
      <h2>{tableMessage('empty-title')}</h2>
      <p>{tableMessage('empty-text')}</p>
      <div class="button-row row wrap">
        <Button
          primary
          onClick={() => {
            isAdding.value = true;
          }}
        >
          {tableMessage('add')}
        </Button>
        {last.length > 0 && (
          <Button onClick={() => goTo(lightTableRoute(last))}>{tableMessage('continue-last')}</Button>
        )}
        <OpenFile />
      </div>
    </section>
  );
}

export function LightTablePage({ route }: { readonly route: LightTableRoute }): VNode {
  useLayoutEffect(() => openTable(route), [route]);
  useImages();
  useDocumentTitle(tableMessage('title'));
  const { waiting } = table.value;
  const isEmpty = items.value.length === 0 && waiting.length === 0;
  return (
    <div class="light-table dark-surface">
      <SiteHeader>
        <h1 class="clip">{tableMessage('title')}</h1>
      </SiteHeader>
      <main id="content" tabIndex={-1}>
        <TableBar />
        {isEmpty ? <Empty /> : <Surface />}
        {waiting.length > 0 && (
          <p class="table-loading muted" role="status">
            {message('loading')}
          </p>
        )}
        <ChosenBar />
      </main>
      {isAdding.value && <Adding />}
      {showsKeys.value && <KeyHelp />}
    </div>
  );
}
