import { setImmediate } from 'node:timers/promises';
import { NO_USAGE, type Composer, type Written } from '../composer.ts';
import { writeCaptions } from './write-captions.ts';
import { findIdeas } from './find-ideas.ts';
import { warningsFor } from './warnings.ts';
import { writeCopy } from './write-copy.ts';

/** Writing a post takes milliseconds of the event loop: others that wait for it come first. */
async function write<T>(work: () => Promise<T>): Promise<Written<T>> {
  await setImmediate();
  return { value: await work(), usage: NO_USAGE };
}

/**
 * Writes without a language model: it selects the most relevant sentences of a source, and combines them with phrases for the tone and language. It states
 * only facts of the source and the business. The same input gives the same texts.
 */
export const embeddedComposer: Composer = {
  name: 'embedded',
  ideas: (of) => write(() => findIdeas(of)),
  copy: (of) => write(() => writeCopy(of)),
  warnings: warningsFor,
  captions: (of) => write(() => writeCaptions(of)),
};
