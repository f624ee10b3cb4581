import { notFound } from '@fanfare/errors';
import { findOrganization, toOrganization } from '../store/organizations.ts';
import type { Rpc } from './rpc.ts';

export const getOrganization: Rpc<'getOrganization'> =
  ({ db }) =>
  async ({ organizationId }) => {
    const document = await findOrganization(db, organizationId);
    if (!document) throw notFound('organization');
    return { organization: toOrganization(document) };
  };
