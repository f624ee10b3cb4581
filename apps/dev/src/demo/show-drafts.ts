import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { dataDir } from '../workspace.ts';
import type { Steps } from '../steps.ts';
import { draftsPage } from './drafts-page.ts';
import { generate, type GenerationJob } from './generate.ts';

/**
 * Generates drafts, prints them, and writes a page with them. If that fails, prints why, and Fanfare keeps running.
 * @throws only the signal's reason
 */
export async function showDrafts(
  platform: Parameters<typeof generate>[0],
  idea: string,
  steps: Steps,
  signal: AbortSignal,
  directory = dataDir,
): Promise<void> {
  try {
    const job = await steps.run('generate', () => generate(platform, idea, signal));
    if (job.status !== 'completed') throw new Error(job.error ?? 'The job is still running.');
    const file = path.join(directory, 'drafts.html');
    writeFileSync(file, draftsPage(idea, job));
    console.log(`\n${draftList(job)}\n  Drafts as a page   file://${file}\n`);
  } catch (error) {
    signal.throwIfAborted();
    console.log(`\n  ✗ No drafts were generated: ${(error as Error).message}\n    Fanfare is running.\n`);
  }
}

/** The drafts one after the other: their texts, and the URLs of their media. */
function draftList({ composer, data, warnings }: GenerationJob): string {
  const drafts = data.map(({ caption, creative_format: format, rendered_urls: urls, score }, index) => {
    const facts = [format, score ? `score ${score.overall}` : ''].filter((fact) => fact !== '').join(', ');
    return [`Draft ${index + 1} (${facts})`, ...caption.split('\n').map((line) => `  ${line}`), ...urls.map((url) => `  ${url}`)].join(
      '\n',
    );
  });
  return [`Composer: ${composer}`, ...drafts, ...warnings].join('\n\n');
}
