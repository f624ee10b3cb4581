import { counter, histogram, readGauge } from '@fanfare/runtime';

export const jobsEnded = counter('fanfare_generation_jobs_total', 'Generation jobs that ended, by status.', ['status']);
export const renderSeconds = histogram('fanfare_render_seconds', 'Time to render a page or a clip, including the wait in the queue.', [
  'kind',
]);
/** The metric to scale by: a process that runs a job is needed, too. */
export const readJobsOpen = (count: () => Promise<number>) =>
  readGauge('fanfare_generation_jobs_open', 'Jobs that have not ended: running, due, or waiting for a provider.', count);
export const readJobsWaiting = (count: () => Promise<number>) =>
  readGauge('fanfare_generation_jobs_waiting', 'Jobs that are due and not running.', count);
export const readJobLag = (seconds: () => Promise<number>) =>
  readGauge('fanfare_generation_job_lag_seconds', 'How long the oldest due job has been due.', seconds);
