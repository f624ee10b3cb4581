import { createHash } from 'node:crypto';
import { connectorFor, PlatformFailure, type Platform, type ReadCall, type Reading } from '@fanfare/connectors';
import { platformLabel } from '@fanfare/connectors/platform';
import type { Integration, LendAccessResponse } from '@fanfare/contracts/publisher';
import { DomainError } from '@fanfare/errors';
import type { CallOptions } from '@fanfare/rpc';
import { now } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { platformReads } from '../metrics.ts';
import { dayIn } from './days.ts';

/** What reading an account's platform needs: the account, and a client with a lent access token. */
export interface Lent {
  readonly integration: Integration;
  readonly platform: Platform;
  readonly reading: Reading;
  readonly call: ReadCall;
}

type Call = CallOptions['call'];

/**
 * Reads with an access token that the publisher lends. If the platform rejects the token, the publisher refreshes it, once.
 * @throws DomainError resource_not_found, conflict, SOCIAL_TOKEN_EXPIRED, UPSTREAM_PROVIDER_ERROR
 * @throws PlatformFailure `validation` if a parameter of the caller is invalid
 */
export async function withAccess<T>(
  context: Context,
  wanted: { readonly integrationId: string; readonly isBackground: boolean; readonly mostCalls: number; readonly call: Call },
  read: (lent: Lent) => Promise<T>,
): Promise<T> {
  const { integrationId, isBackground, mostCalls, call } = wanted;
  const lend = (rejected?: LendAccessResponse, wasRefreshed = false) => {
    const rejectedTokenSha256 = rejected ? createHash('sha256').update(rejected.accessToken).digest('hex') : '';
    return context.publisher.lendAccess({ integrationId, isBackground, rejectedTokenSha256, mostCalls, wasRefreshed }, { call });
  };
  const first = await lend();
  try {
    return await counted(first, () => read(lentFrom(context, first)));
  } catch (error) {
    if (!(error instanceof PlatformFailure && error.class === 'token_expired'))
      throw asDomainError(error, context, call, first.integration);
  }
  const second = await lend(first);
  try {
    return await counted(second, () => read(lentFrom(context, second)));
  } catch (error) {
    if (error instanceof PlatformFailure && error.class === 'token_expired') {
      // The publisher marks the account as expired, so that people notice, and responds with an error that says so.
      await lend(second, true).catch((marked: unknown) =>
        context.log.info({ err: marked, integration_id: integrationId }, 'a fresh token was rejected'),
      );
    }
    throw asDomainError(error, context, call, second.integration);
  }
}

async function counted<T>({ integration }: LendAccessResponse, read: () => Promise<T>): Promise<T> {
  const count = (outcome: string) => platformReads.inc({ platform: integration?.platform ?? '', outcome });
  try {
    const result = await read();
    count('ok');
    return result;
  } catch (error) {
    count(error instanceof PlatformFailure ? error.class : 'failed');
    throw error;
  }
}

function lentFrom(context: Context, { integration, accessToken, tokenProof }: LendAccessResponse): Lent {
  if (!integration) throw new Error('The publisher lent access without an account.');
  const platform = integration.platform as Platform;
  const { reading } = connectorFor(platform);
  if (!reading) throw new DomainError('invalid_request', `${platform} does not provide statistics.`);
  const secrets = tokenProof === undefined ? [accessToken] : [accessToken, tokenProof];
  const time = now(integration.organizationId);
  return {
    integration,
    platform,
    reading,
    call: {
      http: context.platforms.http(platform, undefined, secrets),
      account: {
        accountId: integration.accountId,
        username: integration.username,
        accessToken,
        ...(integration.login !== undefined && { login: integration.login }),
        ...(tokenProof !== undefined && { tokenProof }),
      },
      now: time,
      today: dayIn(time, reading.rules.timeZone),
      scopes: integration.scopes,
    },
  };
}

/** The error that callers get when a platform cannot be read. */
function asDomainError(error: unknown, { log }: Context, call: Call, integration: Integration | undefined): unknown {
  if (!(error instanceof PlatformFailure) || !integration) return error;
  const platform = platformLabel(integration.platform);
  if (error.class === 'validation' && typeof error.detail['param'] === 'string') {
    return new DomainError('invalid_request', error.message, { param: error.detail['param'], cause: error });
  }
  // An operator has to fix the access of our app; its words, such as those about unpaid credits, are not for callers.
  const isOurs = error.detail['operator'] !== undefined;
  log[isOurs ? 'error' : 'warn'](
    { err: error, integration_id: integration.id, request_id: call.metadata.requestId, detail: error.detail },
    'could not read statistics from a platform',
  );
  if (isOurs && error.class === 'permission') {
    const detail = `${platform} cannot be read, because it rejects Fanfare itself. An operator of this server has to fix that.`;
    return new DomainError('UPSTREAM_PROVIDER_ERROR', detail, { cause: error });
  }
  if (error.class === 'token_expired') {
    const detail = `The access to this account has ended. Reconnect it. ${platform} says: ${error.message}`;
    return new DomainError('SOCIAL_TOKEN_EXPIRED', detail, { cause: error });
  }
  const retryAfterSeconds = error.class === 'rate_limited' ? Math.ceil((error.retryAfterMs ?? 60_000) / 1_000) : undefined;
  return new DomainError('UPSTREAM_PROVIDER_ERROR', named(error.message, platform), {
    cause: error,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

/** The message of a failure, about the platform by name. */
const named = (message: string, platform: string): string =>
  message.startsWith('The platform') ? message.replace('The platform', platform) : `${platform} could not be read: ${message}`;
