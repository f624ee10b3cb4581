import { normalizeEmail } from '../people/email.ts';
import { listPersons, toPerson } from '../store/persons.ts';
import { pageRequest } from '../operator-requests/page-request.ts';
import { requiredOrganization } from '../operator-requests/required.ts';
import type { Rpc } from './rpc.ts';

export const listUsers: Rpc<'listUsers'> =
  ({ db }) =>
  async ({ organizationId, email, ...request }) => {
    if (organizationId !== undefined) await requiredOrganization(db, organizationId);
    // An invalid address matches no user.
    const filter = { organizationId, email: email === undefined ? undefined : (normalizeEmail(email) ?? '') };
    const { rows, nextPageToken } = await listPersons(db, filter, pageRequest(request));
    return { users: rows.map(toPerson), nextPageToken };
  };
