import { ComposerFailed, type Written } from '../../writing/composer.ts';
import type { JobWork } from '../run-job.ts';

/**
 * Lets the composer write for a job, as long as the job has not used up its tokens. What a failed try was used for is recorded as well.
 * @throws ComposerFailed
 */
export async function askComposer<T>(
  { context, job, lease, record }: JobWork,
  write: (signal: AbortSignal) => Promise<Written<T>>,
): Promise<Written<T>> {
  const { inputTokens, outputTokens } = job().usage;
  const { maxTokens } = context.config.jobs;
  if (inputTokens + outputTokens >= maxTokens)
    throw new ComposerFailed(`The job has used the ${maxTokens} tokens that a job may use of the language model.`, { isPassing: false });
  try {
    return await write(lease.signal);
  } catch (error) {
    if (error instanceof ComposerFailed && error.usage.requests > 0) await record({}, error.usage);
    throw error;
  }
}
