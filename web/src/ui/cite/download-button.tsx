/** Downloads: a link that asks first, so that what goes wrong is told here and does not take the viewer's place. */
import { useSignal } from '@preact/signals';
import { Download } from 'lucide';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type Answer, fetchBytes, fetchHead, type Problem } from '../../data/fetch.ts';
import { message } from '../../messages/message.ts';
import { Icon } from '../common/icon.tsx';
import { ProblemNotice } from '../common/problem.tsx';
import { download, saveFile } from '../common/save-file.ts';

type State = { readonly kind: 'idle' | 'busy' | 'done' } | { readonly kind: 'problem'; readonly problem: Problem };

/** Pictures are made while the reader waits; an original can be larger than the memory, and the browser fetches it. */
async function fetchFile(
  { href, name, isOriginal }: Pick<DownloadButtonProps, 'href' | 'name' | 'isOriginal'>,
  signal: AbortSignal,
): Promise<Answer<unknown>> {
  if (isOriginal) {
    const answer = await fetchHead(href, signal);
    if (answer.ok) download(href, name);
    return answer;
  }
  const answer = await fetchBytes(href, signal);
  if (answer.ok) saveFile(answer.value, name);
  return answer;
}

interface DownloadButtonProps {
  readonly href: string;
  /** The name of the file. */
  readonly name: string;
  readonly isOriginal?: boolean;
  readonly children: ComponentChildren;
}

export function DownloadButton({ children, ...what }: DownloadButtonProps): VNode {
  const state = useSignal<State>({ kind: 'idle' });
  const asked = useRef<AbortController | undefined>(undefined);
  // Another picture is meant: nothing is said of the one before.
  useEffect(() => {
    state.value = { kind: 'idle' };
    return () => asked.current?.abort();
  }, [what.href]);
  const begin = async (event?: MouseEvent): Promise<void> => {
    event?.preventDefault();
    if (state.peek().kind === 'busy') return;
    const controller = new AbortController();
    asked.current = controller;
    state.value = { kind: 'busy' };
    const answer = await fetchFile(what, controller.signal);
    if (!controller.signal.aborted)
      state.value = answer.ok ? { kind: 'done' } : { kind: 'problem', problem: answer.problem };
  };
  const now = state.value;
  return (
    <>
      <a class={what.isOriginal ? 'button' : 'button primary'} href={what.href} download={what.name} onClick={begin}>
        <Icon of={Download} size={16} />
        {children}
      </a>
      <p class="soft download-state" role="status">
        {now.kind === 'busy' && !what.isOriginal && message('download-preparing')}
        {now.kind === 'done' && message('download-done', { name: what.name })}
      </p>
      {now.kind === 'problem' && <ProblemNotice problem={now.problem} onRetry={() => void begin()} />}
    </>
  );
}
