/** The notice that something can't be shown, with the reason and what the reader can do. */
import type { ComponentChildren, VNode } from 'preact';
import type { Problem } from '../../data/fetch.ts';
import { message } from '../../messages/message.ts';
import type { MessageKey } from '../../messages/messages.ts';
import { Button } from './button.tsx';

type Texts = readonly [what: MessageKey, todo: MessageKey];

const problemTexts: Readonly<Record<Exclude<Problem, 'aborted'>, Texts>> = {
  'login-needed': ['problem-login', 'problem-login-todo'],
  denied: ['problem-denied', 'problem-denied-todo'],
  'not-found': ['problem-not-found', 'problem-not-found-todo'],
  unreadable: ['problem-unreadable', 'problem-unreadable-todo'],
  busy: ['problem-busy', 'problem-busy-todo'],
  failed: ['problem-failed', 'problem-failed-todo'],
  unreachable: ['problem-unreachable', 'problem-unreachable-todo'],
  'refused-host': ['problem-refused-host', 'problem-refused-host-todo'],
  unshared: ['problem-unshared', 'problem-unshared-todo'],
  'no-manifest': ['problem-no-manifest', 'problem-no-manifest-todo'],
  collection: ['problem-collection', 'problem-collection-todo'],
  'no-pages': ['problem-no-pages', 'problem-no-pages-todo'],
  'too-large': ['problem-too-large', 'problem-too-large-todo'],
  'no-image': ['problem-no-image', 'problem-no-image-todo'],
  'no-content-state': ['problem-no-content-state', 'problem-no-content-state-todo'],
};

/** The problem in a few words. */
export const problemTitle = (problem: Exclude<Problem, 'aborted'>): string => message(problemTexts[problem][0]);

interface ProblemNoticeProps {
  readonly problem: Problem;
  readonly onRetry?: () => void;
  /** Whether nothing else is on the page, so that this has its title. */
  readonly isWhole?: boolean;
  readonly children?: ComponentChildren;
}

export function ProblemNotice({ problem, onRetry, isWhole = false, children }: ProblemNoticeProps): VNode | null {
  if (problem === 'aborted') return null;
  const [what, todo] = problemTexts[problem];
  const Title = isWhole ? 'h1' : 'h2';
  return (
    <div class="problem" role="alert">
      <Title>{message(what)}</Title>
      <p>{message(todo)}</p>
      {children}
      {onRetry && <Button onClick={onRetry}>{message('try-again')}</Button>}
    </div>
  );
}
