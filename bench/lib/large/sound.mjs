/** Makes a sound of any length, and its captions. */

const rate = 8000;

/** A WAV file (RIFF, PCM of 8 bits, one channel) with a tone that changes each second. */
export function wavOf(seconds) {
  const length = seconds * rate;
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(length, 40);
  const samples = Buffer.alloc(length, 128);
  for (let second = 0; second < seconds; second++) {
    const period = 20 + (second % 30);
    for (let at = 0; at < rate; at++) samples[second * rate + at] = at % period < period / 2 ? 120 : 136;
  }
  return Buffer.concat([header, samples]);
}

const time = (seconds) => `${new Date(seconds * 1000).toISOString().slice(11, 23)}`;

/** WebVTT with a cue every three seconds. */
export function captionsOf(seconds) {
  const cues = Array.from({ length: Math.floor(seconds / 3) }, (_, at) => {
    return `${time(at * 3)} --> ${time(at * 3 + 3)}\nSentence ${at + 1} of the talk, which is as long as sentences are.`;
  });
  return `WEBVTT\n\n${cues.join('\n\n')}\n`;
}
