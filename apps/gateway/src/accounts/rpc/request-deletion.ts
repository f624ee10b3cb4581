import { DomainError, notFound } from '@fanfare/errors';
import { systemCall } from '@fanfare/rpc';
import { isCanary } from '@fanfare/runtime';
import type { Context } from '../../context.ts';
import { requestDeletion as request } from '../deletions/deletion-request.ts';
import { requestedBy } from '../operator-requests/requested-by.ts';
import { required } from '../operator-requests/required.ts';
import { toDeletion } from '../store/deletions.ts';
import { findOrganization } from '../store/organizations.ts';
import type { Rpc } from './rpc.ts';

export const requestDeletion: Rpc<'requestDeletion'> =
  (context) =>
  async ({ businessId, organizationId, reason: given }, { metadata, log }) => {
    const reason = required('reason', given);
    if ((businessId === undefined) === (organizationId === undefined)) {
      throw new DomainError('invalid_request', 'Name either a business or an organization.');
    }
    const found = businessId === undefined ? await organizationOf(context, organizationId ?? '') : await businessOf(context, businessId);
    const deletion = await request(context, { ...found, ...requestedBy(metadata) });
    log.warn({ deleted: found.kind, deleted_id: found.id, reason }, 'an operator requests a deletion');
    return { deletion: toDeletion(deletion) };
  };

async function organizationOf({ db }: Context, id: string) {
  const found = await findOrganization(db, id);
  if (!found) throw notFound('organization');
  return { kind: 'organization' as const, id, organizationId: id, name: found.name };
}

async function businessOf({ content }: Context, businessId: string) {
  const { business } = await content.getBusiness({ businessId }, { call: { metadata: systemCall('gateway') } });
  // The canary's has a fixed id, which a tombstone would close for good.
  if (!business || isCanary(business.organizationId)) throw notFound('business');
  const { id, organizationId, name } = business;
  return { kind: 'business' as const, id, organizationId, name };
}
