import { listAllOrganizations, toOrganization } from '../store/organizations.ts';
import { pageRequest } from '../operator-requests/page-request.ts';
import type { Rpc } from './rpc.ts';

export const listOrganizations: Rpc<'listOrganizations'> =
  ({ db }) =>
  async (request) => {
    const { rows, nextPageToken } = await listAllOrganizations(db, pageRequest(request));
    return { organizations: rows.map(toOrganization), nextPageToken };
  };
