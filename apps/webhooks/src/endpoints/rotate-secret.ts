import { DomainError } from '@fanfare/errors';
import { now } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import type { EndpointDocument } from './endpoint.ts';
import { newSecret, openSecrets, sealSecrets, validFormer } from './secrets.ts';
import { editEndpoint, getEndpoint } from './store/endpoints.ts';

/** How many secrets are valid at a time, besides the current one. */
const MOST_FORMER = 4;

/** Former secrets stay valid for a while, each for the same time. @throws DomainError resource_not_found, conflict */
export async function rotateSecret(
  { config, db, keyring, transact }: Context,
  organizationId: string,
  id: string,
  operationId: string,
): Promise<{ endpoint: EndpointDocument; secret: string }> {
  const endpoint = await transact(async (session) => {
    const current = await getEndpoint(db, organizationId, id, session);
    if (current.format !== 'standard')
      throw new DomainError(
        'conflict',
        'Messages to Slack and Discord are not signed. Only an endpoint of the format standard has a secret.',
      );
    const at = now(organizationId);
    const secrets = openSecrets(keyring, current);
    const valid = validFormer(secrets, at);
    if (valid.length >= MOST_FORMER && !current.operation_ids?.includes(operationId))
      throw new DomainError(
        'conflict',
        `The secret was rotated ${MOST_FORMER} times within 24 hours, and the former secrets are still valid. Rotate it again after ${valid.at(-1)?.until}.`,
      );
    const until = new Date(at.getTime() + config.sending.formerSecretMs);
    const formerSecrets = [{ secret: secrets.secret, until: until.toISOString() }, ...valid];
    const changes = { sealed: sealSecrets(keyring, id, { ...secrets, secret: newSecret(), formerSecrets }), former_secret_until: until };
    return editEndpoint(db, organizationId, id, changes, { operationId, expectedRevisions: [], at }, session);
  });
  return { endpoint, secret: openSecrets(keyring, endpoint).secret };
}
