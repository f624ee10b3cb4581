import { createHash, randomBytes } from 'node:crypto';
import { connectors, type Connector, type Platform } from '@fanfare/connectors';
import { DomainError } from '@fanfare/errors';
import type { CallMetadata } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { verifierOf } from '../domain/secret-names.ts';
import { insertConnectionAttempt } from '../store/connection-attempts.ts';
import { insertConnection } from '../store/connections.ts';
import { findOwnIntegration } from '../store/integrations.ts';
import type { Rpc } from './rpc.ts';

export const beginConnection: Rpc<'beginConnection'> =
  (context) =>
  async ({ platform: name, redirectUri, connectionId, integrationId, returnUrl }, { metadata }) => {
    const { config, db, keyring, platforms } = context;
    const platform = name as Platform;
    const connector = (connectors as Partial<Record<string, Connector>>)[name];
    const app = config.platforms.apps.get(platform);
    if (!connector || !app)
      throw new DomainError('invalid_value', `Accounts of "${name}" cannot be connected here.`, { param: 'platform' });
    if (integrationId !== undefined) await checkIntegration(context, metadata, platform, integrationId);

    const { organizationId: organization_id, businessId: business_id, flowId: flow_id } = metadata;
    if (connectionId !== undefined) {
      const about = { return_url: returnUrl ?? '', flow_id, ...(integrationId !== undefined && { integration_id: integrationId }) };
      await insertConnectionAttempt(db, { _id: connectionId, organization_id, business_id, platform, ...about });
    }
    const state = randomBytes(24).toString('base64url');
    const verifier = connector.oauth.pkce ? randomBytes(32).toString('base64url') : undefined;
    const expiresAt = await insertConnection(db, {
      _id: state,
      organization_id,
      business_id,
      platform,
      redirect_uri: redirectUri,
      ...(connectionId !== undefined && { attempt_id: connectionId }),
      ...(verifier !== undefined && { code_verifier: keyring.seal(verifier, verifierOf(state)) }),
    });
    const codeChallenge = verifier && createHash('sha256').update(verifier).digest('base64url');
    const url = connector.oauth.authorizeUrl(app, { redirectUri, state, ...(codeChallenge !== undefined && { codeChallenge }) });
    return { authorizeUrl: platforms.publicUrl(url), state, expiresAt };
  };

/** @throws DomainError invalid_value */
async function checkIntegration({ db }: Context, metadata: CallMetadata, platform: Platform, id: string): Promise<void> {
  const integration = await findOwnIntegration(db, id, metadata);
  if (!integration) throw new DomainError('invalid_value', 'This business has no account with that id.', { param: 'integration_id' });
  if (integration.platform !== platform) {
    throw new DomainError('invalid_value', `That account is one of ${integration.platform}.`, { param: 'platform' });
  }
}
