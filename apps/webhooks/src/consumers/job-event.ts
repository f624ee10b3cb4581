import type { JobCompleted, JobFailed } from '@fanfare/contracts/generation/events';
import type { Received } from '@fanfare/events';
import { jobFromProto } from '@fanfare/resources';
import type { NewEvent } from '../feed/event.ts';
import { newEvent } from './new-event.ts';

export const jobEvent = (received: Received<JobCompleted | JobFailed>): NewEvent | undefined => {
  const { job } = received.data;
  const type = job?.status === 'JOB_STATUS_COMPLETED' ? 'job.completed' : 'job.failed';
  return job && newEvent(received, { types: () => [type], data: jobFromProto(job), remembered: 'not' });
};
