import type { Integration } from '@fanfare/contracts/publisher';
import { z } from 'zod';
import { isoTime, timestamp } from './timestamp.ts';

/** A connected account. */
export const integration = z
  .object({
    id: z.uuid(),
    business_id: z.uuid(),
    platform: z.string(),
    account_id: z.string().meta({ description: "The platform's id of the account." }),
    username: z.string().nullable(),
    display_name: z.string(),
    page: z.string().nullable().meta({ description: 'The page, location or organization behind it.' }),
    picture_url: z.string().nullable(),
    status: z.string().meta({ description: 'connected, expiring, expired or disconnected.', example: 'connected' }),
    scopes: z.array(z.string()),
    token_expires_at: timestamp().nullable(),
    last_error: z.string().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Integration' });

export function integrationFromProto(given: Integration): z.input<typeof integration> {
  return {
    id: given.id,
    business_id: given.businessId,
    platform: given.platform,
    account_id: given.accountId,
    username: given.username || null,
    display_name: given.displayName,
    page: given.page || null,
    picture_url: given.pictureUrl ?? null,
    status: given.status.replace('INTEGRATION_STATUS_', '').toLowerCase(),
    scopes: given.scopes,
    token_expires_at: given.tokenExpiresAt?.toISOString() ?? null,
    last_error: given.lastError ?? null,
    created_at: isoTime(given.createdAt),
    updated_at: isoTime(given.updatedAt),
  };
}
