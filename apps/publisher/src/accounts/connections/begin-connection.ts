import { createHash, randomBytes } from 'node:crypto';
import { connectors, oauthOf, type Connector, type LoginName, type Platform } from '@fanfare/connectors';
import { platformLabel } from '@fanfare/connectors/platform';
import type { BeginConnectionRequest } from '@fanfare/contracts/publisher';
import { DomainError } from '@fanfare/errors';
import type { CallMetadata } from '@fanfare/rpc';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { appOf, loginsSetUp } from '../domain/app-of.ts';
import { verifierOf } from '../domain/secret-names.ts';
import { insertConnectionAttempt } from '../store/connection-attempts.ts';
import { hashState, insertConnection } from '../store/connections.ts';
import { findOwnIntegration, type IntegrationDocument } from '../store/integrations.ts';

/**
 * Begins a login at a platform that connects accounts, or reconnects one.
 * @returns the consent page of the platform, and the state that it returns
 * @throws DomainError invalid_value if the platform or its login is not set up, or the account to reconnect is not of this platform
 */
export async function beginConnection(
  context: Context,
  { platform: name, redirectUri, connectionId, integrationId, returnUrl, login: requested }: BeginConnectionRequest,
  metadata: CallMetadata,
): Promise<{ readonly authorizeUrl: string; readonly state: string; readonly expiresAt: Date }> {
  const { config, db, keyring, platforms } = context;
  const platform = name as Platform;
  const connector = (connectors as Partial<Record<string, Connector>>)[name];
  if (!connector) throw notHere(name);
  const before = integrationId === undefined ? undefined : await integrationOf(context, metadata, platform, integrationId);
  const login = loginFor(config, platform, requested, before);
  const way = { platform, ...(login && { login }) };
  const app = appOf(config, way);
  if (!app) throw notHere(name);
  const oauth = oauthOf(platform, login);

  const { organizationId: organization_id, businessId: business_id, flowId: flow_id, actor, requestId: request_id } = metadata;
  if (connectionId !== undefined) {
    const about = {
      return_url: returnUrl ?? '',
      flow_id,
      actor,
      request_id,
      ...(integrationId !== undefined && { integration_id: integrationId }),
    };
    await insertConnectionAttempt(db, { _id: connectionId, organization_id, business_id, ...way, ...about });
  }
  const state = randomBytes(24).toString('base64url');
  const verifier = oauth.pkce ? randomBytes(32).toString('base64url') : undefined;
  const _id = hashState(state);
  const expiresAt = await insertConnection(db, {
    _id,
    organization_id,
    business_id,
    ...way,
    redirect_uri: redirectUri,
    ...(connectionId !== undefined && { attempt_id: connectionId }),
    ...(verifier !== undefined && { code_verifier: keyring.seal(verifier, verifierOf(_id)) }),
  });
  const codeChallenge = verifier && createHash('sha256').update(verifier).digest('base64url');
  const url = oauth.authorizeUrl(app, { redirectUri, state, ...(codeChallenge !== undefined && { codeChallenge }) });
  return { authorizeUrl: platforms.publicUrl(url), state, expiresAt };
}

/** @throws DomainError invalid_value */
async function integrationOf({ db }: Context, metadata: CallMetadata, platform: Platform, id: string): Promise<IntegrationDocument> {
  const integration = await findOwnIntegration(db, id, metadata);
  if (!integration) throw new DomainError('invalid_value', 'This business has no account with that id.', { param: 'integration_id' });
  if (integration.platform !== platform) {
    const detail = `That account is on ${platformLabel(integration.platform)}, not on ${platformLabel(platform)}.`;
    throw new DomainError('invalid_value', detail, { param: 'platform' });
  }
  return integration;
}

/**
 * The login to use: the requested one, else that of the account to reconnect, else the default one. Undefined for platforms with a single
 * login.
 * @throws DomainError invalid_value
 */
function loginFor(
  config: Config,
  platform: Platform,
  requested: string | undefined,
  before: IntegrationDocument | undefined,
): LoginName | undefined {
  const logins = loginsSetUp(config, platform);
  const found = logins.find((login) => login === requested);
  if (requested !== undefined && !found) {
    const offer = logins.length > 0 ? `; use ${logins.join(' or ')}` : '';
    throw new DomainError('invalid_value', `${platformLabel(platform)} accounts cannot be connected with this login${offer}.`, {
      param: 'login',
    });
  }
  return found ?? logins.find((login) => login === before?.login) ?? logins[0];
}

/** Names the platform as the caller did. */
const notHere = (platform: string) =>
  new DomainError('invalid_value', `Accounts of "${platform}" cannot be connected: the operator has not set up this platform.`, {
    param: 'platform',
  });
