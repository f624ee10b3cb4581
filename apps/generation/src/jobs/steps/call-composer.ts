import { ComposerFailed, type Written } from '../../writing/composer.ts';
import type { JobWork } from '../run-job.ts';

/**
 * Calls the composer for a job, unless the job has used all its tokens. Records the usage of failed calls too.
 * @throws ComposerFailed
 */
export async function callComposer<T>(
  { context, job, lease, record }: JobWork,
  write: (signal: AbortSignal) => Promise<Written<T>>,
): Promise<Written<T>> {
  const { inputTokens, outputTokens } = job().usage;
  const { maxTokens } = context.config.jobs;
  if (inputTokens + outputTokens >= maxTokens)
    throw new ComposerFailed(`The job has used its limit of ${maxTokens} language model tokens.`, { isPassing: false });
  try {
    return await write(lease.signal);
  } catch (error) {
    if (error instanceof ComposerFailed && error.usage.requests > 0) await record({}, error.usage);
    throw error;
  }
}
