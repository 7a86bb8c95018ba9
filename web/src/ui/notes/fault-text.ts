/** Errors in files of annotations as text. */
import { message } from '../../messages/message.ts';
import type { AnnotationFault } from '../../model/notes/annotation-reader.ts';

export function formatFault(fault: AnnotationFault): string {
  if (fault.reason === 'no-annotations') return message('fault-no-annotations');
  const reason = message(`fault-${fault.reason}`);
  return message(fault.approximated ? 'fault-approximated' : 'fault-left-out', { item: fault.item, reason });
}
