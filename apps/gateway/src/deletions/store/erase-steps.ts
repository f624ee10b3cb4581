import { deleteSome, type Erased, erasedSince, type EraseStep } from '@fanfare/erasure';
import type { Db, Filter } from 'mongodb';

type Row = { _id: string; organization_id?: string | null; business_id?: string; created_at?: Date };

/**
 * Everything that the gateway stores of an organization, but its document and its members, which are erased at the very end: its owners get a last mail. Of a business
 * it stores hardly anything. Responses that are stored for repeated requests (`Idempotency-Key`) expire within a day.
 */
export function eraseSteps(db: Db): Readonly<Record<string, EraseStep>> {
  const ofOrganization = (name: string, more: Filter<Row> = {}): EraseStep => {
    return ({ organizationId, wholeOrganization }, limit) =>
      wholeOrganization ? deleteSome(db.collection<Row>(name), { organization_id: organizationId, ...more }, limit) : none;
  };
  const byId = (name: string, filterOf: (organizationId: string) => Filter<Row>): EraseStep => {
    return ({ organizationId, wholeOrganization }, limit) =>
      wholeOrganization ? deleteSome(db.collection<Row>(name), filterOf(organizationId), limit) : none;
  };
  return {
    notices: (erased, limit) => deleteSome(db.collection<Row>('notices'), noticesOf(erased), limit),
    exports: (erased, limit) => deleteExports(db, erased, limit),
    api_keys: ofOrganization('api_keys'),
    invitations: ofOrganization('invitations'),
    feedback: ofOrganization('feedback'),
    connection_starters: ofOrganization('connection_starters'),
    audit_entries: ofOrganization('audit_entries'),
    test_clocks: byId('test_clocks', (_id) => ({ _id })),
    digests: byId('digests', (_id) => ({ _id })),
    throttles: byId('throttles', (id) => ({ _id: `invitation ${id}` })),
    rate_windows: byId('rate_windows', (id) => ({ _id: `organization:${id}` })),
    idempotency_records: byId('idempotency_records', (id) => ({ _id: { $gte: `${id}:`, $lt: `${id};` } })),
    deletions: ofOrganization('deletions', { kind: 'business' }),
  };
}

/** Each has data of all businesses of the organization. Those that are begun after that do not have what is erased. */
async function deleteExports(db: Db, erased: Erased, limit: number): Promise<number> {
  const begun = erased.wholeOrganization ? {} : { created_at: { $lt: await erasedSince(db, erased) } };
  return deleteSome(db.collection<Row>('exports'), { organization_id: erased.organizationId, ...begun }, limit);
}

const none = Promise.resolve(0);

const noticesOf = ({ organizationId, businessIds, wholeOrganization }: Erased): Filter<Row> => ({
  organization_id: organizationId,
  ...(!wholeOrganization && { business_id: { $in: [...businessIds] } }),
});
