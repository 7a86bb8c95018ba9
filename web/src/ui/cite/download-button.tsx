/** A download link that fetches the file itself, so that an error is shown here and does not replace the page. */
import { useSignal } from '@preact/signals';
import { Download } from 'lucide';
import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Answer, fetchBytes, fetchHead, type Problem } from '../../data/fetch.ts';
import { message } from '../../messages/message.ts';
import { Icon } from '../common/icon.tsx';
import { ProblemNotice } from '../common/problem.tsx';
import { download, saveFile } from '../common/save-file.ts';

type State = { readonly kind: 'idle' | 'busy' | 'done' } | { readonly kind: 'problem'; readonly problem: Problem };

/** An original may be too large for memory: it is only checked here, and the browser downloads it. */
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
  /** The name of the saved file. */
  readonly name: string;
  readonly isOriginal?: boolean;
  readonly children: ComponentChildren;
}

export function DownloadButton({ children, ...what }: DownloadButtonProps): VNode {
  const state = useSignal<State>({ kind: 'idle' });
  const pending = useRef<AbortController | undefined>(undefined);
  // The state of the previous download does not apply to another picture.
  useLayoutEffect(() => {
    state.value = { kind: 'idle' };
    return () => pending.current?.abort();
  }, [what.href]);
  const start = async (event?: MouseEvent): Promise<void> => {
    event?.preventDefault();
    if (state.peek().kind === 'busy') return;
    const controller = new AbortController();
    pending.current = controller;
    state.value = { kind: 'busy' };
    const answer = await fetchFile(what, controller.signal);
    if (!controller.signal.aborted)
      state.value = answer.ok ? { kind: 'done' } : { kind: 'problem', problem: answer.problem };
  };
  const now = state.value;
  return (
    <>
      <a class={what.isOriginal ? 'button' : 'button primary'} href={what.href} download={what.name} onClick={start}>
        <Icon of={Download} size={16} />
        {children}
      </a>
      <p class="soft download-state" role="status">
        {now.kind === 'busy' && !what.isOriginal && message('download-preparing')}
        {now.kind === 'done' && message('download-done', { name: what.name })}
      </p>
      {now.kind === 'problem' && <ProblemNotice problem={now.problem} onRetry={() => void start()} />}
    </>
  );
}
