import { topics } from '@fanfare/contracts';
import { appendAllToOutbox, type Cause } from '@fanfare/events';
import type { ClientSession, Db } from 'mongodb';
import type { DesignDocument } from './design.ts';
import { toDesign } from './to-design.ts';

export async function emitDesignsChanged(db: Db, session: ClientSession, designs: readonly DesignDocument[], cause: Cause): Promise<void> {
  const events = designs.map((design) => {
    const { _id, organization_id: organizationId, business_id: businessId, revision, deleted } = design;
    const emission = { ...cause, subject: _id, revision, organizationId, businessId };
    return { emission, data: { organizationId, design: toDesign(design), isDeleted: deleted } };
  });
  await appendAllToOutbox(db, session, 'generation', topics.designChanged, events);
}
