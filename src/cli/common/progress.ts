/** Shows the progress of a long command on standard error: a bar in a terminal, else a line for every tenth. */
import cliProgress from 'cli-progress';
import { numberText } from './text.ts';

export interface Progress {
  /** One more is done. */
  step(): void;
  end(): void;
}

/** Where progress is shown. */
type ProgressStream = NodeJS.WritableStream & { readonly isTTY?: boolean };

function barOn(stream: ProgressStream, total: number): Progress {
  const bar = new cliProgress.SingleBar({
    stream,
    format: '{bar} {value} of {total} | {percentage} % | {eta_formatted} left',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    clearOnComplete: true,
    // The command handles Ctrl-C itself and prints its results so far.
    gracefulExit: false,
  });
  bar.start(total, 0);
  return { step: () => bar.increment(), end: () => bar.stop() };
}

function linesOn(stream: ProgressStream, total: number): Progress {
  let done = 0;
  let tenths = 0;
  return {
    step() {
      done++;
      const reached = Math.floor((done * 10) / total);
      if (reached === tenths) return;
      tenths = reached;
      stream.write(`${reached * 10} %: ${numberText(done)} of ${numberText(total)}\n`);
    },
    end: () => undefined,
  };
}

/** Shows the progress of `total` steps. */
export const startProgress = (stream: ProgressStream, total: number): Progress =>
  stream.isTTY === true ? barOn(stream, total) : linesOn(stream, total);
