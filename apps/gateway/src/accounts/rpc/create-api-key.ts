import { DomainError } from '@fanfare/errors';
import { newId } from '@fanfare/runtime';
import { createKey } from '../keys/issue-key.ts';
import { findOrganization } from '../store/organizations.ts';
import { askedBy } from './asked-by.ts';
import { required } from './required.ts';
import type { Rpc } from './rpc.ts';

/** The only answer that holds the secret. */
export const createApiKey: Rpc<'createApiKey'> =
  (context) =>
  async ({ organizationId, name: given, expiresAt }, { metadata }) => {
    const name = required('name', given);
    const organization = await findOrganization(context.db, organizationId);
    if (!organization) throw new DomainError('invalid_value', 'There is no organization with this id.', { param: 'organization_id' });
    const wanted = { operationId: newId(), keyId: newId(), organizationId, mode: organization.mode };
    const { key, secret } = await createKey(context, { ...wanted, ...askedBy(metadata) }, { name, expiresAt });
    return { id: key._id, apiKey: secret };
  };
