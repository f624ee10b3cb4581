import { DomainError } from '@fanfare/errors';
import { newId } from '@fanfare/runtime';
import { hashApiKey, newApiKey } from '../api-key.ts';
import { insertApiKey } from '../store/api-keys.ts';
import { findOrganization } from '../store/organizations.ts';
import { required } from './required.ts';
import type { Rpc } from './rpc.ts';

/** The only place where a secret is seen; it goes into the answer and is forgotten. */
export const createApiKey: Rpc<'createApiKey'> =
  ({ db }) =>
  async (request) => {
    const name = required('name', request.name);
    const organization = await findOrganization(db, request.organizationId);
    if (!organization) throw new DomainError('invalid_value', 'There is no organization with that id.', { param: 'organization_id' });
    const apiKey = newApiKey(organization.mode);
    const id = newId();
    await insertApiKey(db, {
      _id: id,
      organization_id: organization._id,
      name,
      secret_hash: hashApiKey(apiKey),
      hint: apiKey.slice(-4),
      created_at: new Date(),
    });
    return { id, apiKey };
  };
