/** The program of the process that holds the index of texts, so that neither its work nor a fault in it touches the server. */
import { IndexFile, type IndexFileOptions } from './index-file.ts';
import type { Call, Reply } from './messages.ts';

const options = JSON.parse(process.argv[2] ?? '{}') as IndexFileOptions;

// Ctrl-C reaches all processes of a terminal; the parent process ends this one.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit(0));

let index: IndexFile | undefined;

/** The index, which is opened when it is first used, and again where that failed or its file was deleted meanwhile. */
function opened(): IndexFile {
  if (index?.isGone() === true) {
    index.close();
    index = undefined;
  }
  index ??= new IndexFile(options);
  return index;
}

function answer({ id, method, values }: Call): Reply {
  try {
    // The other side has typed both.
    const run = opened()[method] as (...given: unknown[]) => unknown;
    return { id, result: run.apply(index, [...values]) };
  } catch (error) {
    return { id, fault: error instanceof Error ? error.message : String(error) };
  }
}

process.on('message', (call: Call) => {
  process.send?.(answer(call));
});
