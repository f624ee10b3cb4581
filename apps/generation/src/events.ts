import { topics } from '@fanfare/contracts';
import { appendAllToOutbox, appendToOutbox, type Cause } from '@fanfare/events';
import type { ClientSession, Db } from 'mongodb';
import type { DesignDocument } from './designs/design.ts';
import { toDesign } from './designs/to-design.ts';
import type { JobDocument } from './jobs/job.ts';
import type { Config } from './config.ts';
import { toJob } from './jobs/to-job.ts';

const SOURCE = 'generation';

export async function emitDesignsChanged(db: Db, session: ClientSession, designs: readonly DesignDocument[], cause: Cause): Promise<void> {
  const events = designs.map((design) => {
    const { _id, organization_id: organizationId, business_id: businessId, revision, deleted } = design;
    const emission = { ...cause, subject: _id, revision, organizationId, businessId };
    return { emission, data: { organizationId, design: toDesign(design), isDeleted: deleted } };
  });
  await appendAllToOutbox(db, session, SOURCE, topics.designChanged, events);
}

export async function emitJobEnded(db: Db, session: ClientSession, job: JobDocument, prices: Config['prices']): Promise<void> {
  const { _id, organization_id: organizationId, business_id: businessId, call } = job;
  const emission = { ...call, subject: _id, revision: 1, organizationId, businessId };
  const topic = job.status === 'completed' ? topics.jobCompleted : topics.jobFailed;
  await appendToOutbox(db, session, SOURCE, topic, emission, { organizationId, job: toJob(job, prices) });
}
