import type { JobDocument } from '../job.ts';

/** The input that the first steps recorded. */
export function recordedInput({ source, brief, topics, look }: JobDocument) {
  if (!source || !brief || !topics || !look) throw new Error('A step ran before the step that records its input.');
  return { source, brief, topics, look };
}
