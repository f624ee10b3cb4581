import { publishDemo, resultTable } from './demo.ts';
import type { StartOptions } from './start-options.ts';
import type { Steps } from './steps.ts';
import { firstPostLine } from './summary.ts';

/**
 * Publishes the demo's post and prints where it appeared. When the API refuses it, prints why: a picture or a caption that cannot be published is
 * no reason to take the platform away from whoever wants to try another one.
 * @throws the signal's reason alone
 */
export async function showDemo(
  platform: Parameters<typeof publishDemo>[0],
  options: Pick<StartOptions, 'caption' | 'image'>,
  steps: Steps,
  signal: AbortSignal,
): Promise<void> {
  try {
    const results = await steps.run('publish', () => publishDemo(platform, options, signal));
    console.log(`\n${resultTable(results)}\n`);
    if (results.some(({ status }) => status === 'success')) console.log(firstPostLine());
  } catch (error) {
    signal.throwIfAborted();
    console.log(`\n  ✗ The post was not published: ${(error as Error).message}\n    The platform runs all the same.\n`);
  }
}
