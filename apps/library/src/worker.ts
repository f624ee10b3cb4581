import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { MediaRejected } from '@fanfare/media-tools';
import { make } from './derivatives/make.ts';
import { extractSpeech } from './transcripts/extract-speech.ts';
import { probeMedia } from './probing/probe-media.ts';
import type { Job, Outcome, Results, WorkerSettings } from './processes/job.ts';

/**
 * The process in which everything that strangers made is decoded: it may crash, hang or be killed at any time, and the library goes on.
 * It writes to files that it is told of, and speaks to the process that started it, and ends with it.
 */
const { priority, tools } = JSON.parse(process.argv[2] ?? '') as WorkerSettings;

// Together with the programs that it started: it leads their group.
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
os.setPriority(priority);
preferredVictim();

process.on('message', (job: Job) => {
  void run(job).then(
    (result) => response({ result }),
    (error: unknown) => response(error instanceof MediaRejected ? { rejected: error.message } : { error: told(error) }),
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

const response = (outcome: Outcome) => process.send?.(outcome);
const told = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error)).slice(0, 4_000);

/** When memory runs out, this process goes first. */
function preferredVictim(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not Linux, or not allowed: then the kernel decides.
  }
}
