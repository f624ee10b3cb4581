import { createHash, randomBytes } from 'node:crypto';
import { connectors, type Connector, type Platform } from '@fanfare/connectors';
import { DomainError } from '@fanfare/errors';
import { insertConnection } from '../store/connections.ts';
import type { Rpc } from './rpc.ts';

export const beginConnection: Rpc<'beginConnection'> =
  ({ config, db, keyring, platforms }) =>
  async ({ platform: name, redirectUri }, { metadata }) => {
    const platform = name as Platform;
    const connector = (connectors as Partial<Record<string, Connector>>)[name];
    const app = config.platforms.apps.get(platform);
    if (!connector || !app)
      throw new DomainError('invalid_value', `Accounts of "${name}" cannot be connected here.`, { param: 'platform' });

    const state = randomBytes(24).toString('base64url');
    const verifier = connector.oauth.pkce ? randomBytes(32).toString('base64url') : undefined;
    await insertConnection(db, {
      _id: state,
      organization_id: metadata.organizationId,
      business_id: metadata.businessId,
      platform,
      redirect_uri: redirectUri,
      ...(verifier !== undefined && { code_verifier: keyring.seal(verifier, `connection:${state}`) }),
    });
    const codeChallenge = verifier && createHash('sha256').update(verifier).digest('base64url');
    const url = connector.oauth.authorizeUrl(app, { redirectUri, state, ...(codeChallenge !== undefined && { codeChallenge }) });
    return { authorizeUrl: platforms.publicUrl(url), state };
  };
