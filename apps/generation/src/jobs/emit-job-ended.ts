import { topics } from '@fanfare/contracts';
import { appendToOutbox } from '@fanfare/events';
import type { ClientSession, Db } from 'mongodb';
import type { Config } from '../config.ts';
import type { JobDocument } from './job.ts';
import { toJob } from './to-job.ts';

export async function emitJobEnded(db: Db, session: ClientSession, job: JobDocument, prices: Config['prices']): Promise<void> {
  const { _id, organization_id: organizationId, business_id: businessId, call } = job;
  const emission = { ...call, subject: _id, revision: 1, organizationId, businessId };
  const topic = job.status === 'completed' ? topics.jobCompleted : topics.jobFailed;
  await appendToOutbox(db, session, 'generation', topic, emission, { organizationId, job: toJob(job, prices) });
}
