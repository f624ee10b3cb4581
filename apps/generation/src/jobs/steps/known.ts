import type { JobDocument } from '../store/jobs.ts';

/** What the first step recorded. */
export function known({ source, brief, topics, look }: JobDocument) {
  if (!source || !brief || !topics || !look) throw new Error('A step was taken before the one that it needs.');
  return { source, brief, topics, look };
}
