import { publishDemo, resultTable } from './demo.ts';
import type { StartOptions } from '../start/start-options.ts';
import type { Steps } from '../steps.ts';

/**
 * Publishes the demo's post and prints where it appeared. If the API rejects it, prints why, and Fanfare keeps running: another image or caption may
 * be accepted.
 * @returns whether a post appeared somewhere
 * @throws only the signal's reason
 */
export async function showDemo(
  platform: Parameters<typeof publishDemo>[0],
  options: Pick<StartOptions, 'caption' | 'image'>,
  steps: Steps,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const results = await steps.run('publish', () => publishDemo(platform, options, signal));
    console.log(`\n${resultTable(results)}\n`);
    return results.some(({ status }) => status === 'success');
  } catch (error) {
    signal.throwIfAborted();
    console.log(`\n  ✗ The post was not published: ${(error as Error).message}\n    Fanfare is running.\n`);
    return false;
  }
}
