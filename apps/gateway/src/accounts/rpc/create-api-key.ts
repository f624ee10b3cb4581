import { newId } from '@fanfare/runtime';
import { createKey } from '../keys/issue-key.ts';
import { requestedBy } from '../operator-requests/requested-by.ts';
import { required, requiredOrganization } from '../operator-requests/required.ts';
import type { Rpc } from './rpc.ts';

/** The only response that contains the secret. */
export const createApiKey: Rpc<'createApiKey'> =
  (context) =>
  async ({ organizationId, name: given, expiresAt }, { metadata }) => {
    const name = required('name', given);
    const { mode } = await requiredOrganization(context.db, organizationId);
    const wanted = { operationId: newId(), keyId: newId(), organizationId, mode };
    const { key, secret } = await createKey(context, { ...wanted, ...requestedBy(metadata) }, { name, expiresAt });
    return { id: key._id, apiKey: secret };
  };
