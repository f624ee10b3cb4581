import type { Integration } from '@fanfare/contracts/publisher';
import { z } from 'zod';
import type { Urls } from '../../urls.ts';
import { selfLink } from '../shared/self-link.ts';
import { isoTime, timestamp } from '../shared/timestamp.ts';
import { wholeObject } from './whole-object.ts';

const capability = z
  .object({
    name: z.string().meta({
      description:
        'publish, first_comment, account_stats, post_stats or drafts (posts that the owner of the account finishes and posts in the app).',
      example: 'publish',
    }),
    available: z.boolean(),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why it cannot: not_supported (by the platform, or here), missing_scope, token_expired or disconnected.' }),
    missing_scopes: z
      .array(z.string())
      .meta({ description: 'With missing_scope: what the person has to allow, by connecting the account again.' }),
  })
  .meta({ id: 'Capability' });

/** A connected account. */
export const integration = z
  .object({
    self: selfLink(),
    id: z.uuid(),
    business_id: z.uuid(),
    platform: z.string(),
    login: z.string().nullable().meta({
      description: 'How the person signed in, where the platform has several ways: of instagram, facebook or instagram; else null.',
      example: 'facebook',
    }),
    account_id: z.string().meta({ description: "The platform's id of the account." }),
    username: z.string().nullable(),
    display_name: z.string(),
    page: z.string().nullable().meta({ description: 'The page, location or organization behind it.' }),
    picture_url: z.string().nullable(),
    status: z.string().meta({
      description:
        'connected; expiring: works, but ends within a week unless the person connects it again; expired: the person has to connect it again; or disconnected: taken away, kept by its id for when it is connected again.',
      example: 'connected',
    }),
    scopes: z.array(z.string()).meta({ description: 'What the person granted, in the words of the platform.' }),
    token_expires_at: timestamp().nullable().meta({
      description: 'When the access token ends; it is refreshed before that wherever the platform lets us. Null when it does not end.',
    }),
    reconnect_by: timestamp().nullable().meta({
      description:
        'Until when the access can be renewed without a person, who then has to connect the account again. Some platforms move it on with every renewal. Null when it does not end, or the platform does not tell.',
    }),
    capabilities: z.array(capability).meta({ description: 'What the account can do, and why it cannot do the rest.' }),
    settings: z.record(z.string(), z.unknown()).meta({
      description:
        "What its posts say to the platform alone where their override's `options` do not: an object of the same shape, such as FacebookOptions.",
    }),
    last_error: z.string().nullable().meta({
      description:
        'Why its access has ended or cannot be renewed; null once it works again. What a platform says of a post stands in the results of that post.',
    }),
    reconnect_url: z
      .string()
      .nullable()
      .meta({ description: 'Where a person connects it again, when it is expiring, expired or disconnected; else null.' }),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Integration' });

export const updateIntegrationBody = z
  .strictObject({
    settings: wholeObject().optional().meta({
      description:
        'Members to set, of the shape of the `options` of an override for this platform, such as FacebookOptions; null removes one, and those that are not named stay.',
    }),
  })
  .meta({ id: 'UpdateIntegration' });

export function integrationFromProto(given: Integration, urls: Urls): z.input<typeof integration> {
  const status = given.status.replace('INTEGRATION_STATUS_', '').toLowerCase();
  return {
    id: given.id,
    business_id: given.businessId,
    platform: given.platform,
    login: given.login ?? null,
    account_id: given.accountId,
    username: given.username || null,
    display_name: given.displayName,
    page: given.page || null,
    picture_url: given.pictureUrl ?? null,
    status,
    scopes: given.scopes,
    token_expires_at: given.tokenExpiresAt?.toISOString() ?? null,
    reconnect_by: given.reconnectBy?.toISOString() ?? null,
    capabilities: given.capabilities.map(({ name, available, reason, missingScopes }) => ({
      name,
      available,
      reason: reason ?? null,
      missing_scopes: missingScopes,
    })),
    settings: given.settings ?? {},
    last_error: given.lastError ?? null,
    reconnect_url: status === 'connected' ? null : urls.consoleReconnect(given.businessId, given.id),
    created_at: isoTime(given.createdAt),
    updated_at: isoTime(given.updatedAt),
  };
}
