/** A voice in place of the browser's, which says when a test lets it, and tells what it was given to say. */
import type { Page } from 'playwright-core';

interface Said {
  readonly text: string;
  readonly lang: string;
  readonly rate: number;
}

interface Voice {
  readonly said: Said[];
  readonly log: string[];
  end: (() => void) | undefined;
}

type VoiceWindow = typeof globalThis & { testVoice: Voice };

/** The page has it until it loads again. */
export const stubVoice = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const voice: Voice = { said: [], log: [], end: undefined };
    (globalThis as VoiceWindow).testVoice = voice;
    const log = (what: string) => () => {
      voice.log.push(what);
    };
    const value = {
      getVoices: () => [],
      speak(utterance: SpeechSynthesisUtterance) {
        voice.said.push({ text: utterance.text, lang: utterance.lang, rate: utterance.rate });
        voice.end = () => utterance.onend?.(new Event('end') as SpeechSynthesisEvent);
      },
      cancel: log('cancel'),
      pause: log('pause'),
      resume: log('resume'),
    };
    Object.defineProperty(globalThis, 'speechSynthesis', { configurable: true, value });
  });

/** All that it was given to say. */
export const saidBy = (page: Page): Promise<readonly Said[]> =>
  page.evaluate(() => (globalThis as VoiceWindow).testVoice.said);

export const spokenTexts = async (page: Page): Promise<readonly string[]> =>
  (await saidBy(page)).map(({ text }) => text);

export const voiceLog = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => (globalThis as VoiceWindow).testVoice.log);

/** It has said what it was given last. */
export const endSpeaking = (page: Page): Promise<void> =>
  page.evaluate(() => (globalThis as VoiceWindow).testVoice.end?.());
