import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { MediaRejected } from '@fanfare/media-tools';
import { make } from './derivatives/make.ts';
import { extractSpeech } from './transcripts/extract-speech.ts';
import { probeMedia } from './probing/probe-media.ts';
import type { Job, Outcome, Results, WorkerSettings } from './processes/job.ts';

/**
 * The process that decodes untrusted files. It may crash, hang or be killed at any time without harm to the library. It only writes the files that its
 * jobs name, only communicates with its parent process, and ends with it.
 */
const { priority, tools } = JSON.parse(process.argv[2] ?? '') as WorkerSettings;

// Also kills the programs that it started: it leads their process group.
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
// Without privileges, a process may only lower its priority, and it may have been started with a lower one.
os.setPriority(Math.max(priority, os.getPriority()));
preferOomKill();

process.on('message', (job: Job) => {
  void run(job).then(
    (result) => respond({ result }),
    (error: unknown) => respond(error instanceof MediaRejected ? { rejected: error.message } : { error: textOf(error) }),
  );
});

async function run(job: Job): Promise<Results[Job['kind']]> {
  switch (job.kind) {
    case 'probe':
      return probeMedia(job.file, tools.ffprobe);
    case 'make':
      return make(job.order, tools);
    case 'speech':
      await extractSpeech(job, tools.ffmpeg);
      return null;
  }
}

const respond = (outcome: Outcome) => process.send?.(outcome);
const textOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error)).slice(0, 4_000);

/** Lets the kernel kill this process first if memory runs out. */
function preferOomKill(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not Linux, or not permitted: the default applies.
  }
}
