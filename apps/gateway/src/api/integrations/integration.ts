import { z } from 'zod';
import { platformsWithLogins } from '../platforms/platform-lists.ts';
import { selfLink } from '../common/self-link.ts';
import { timestamp } from '../common/timestamp.ts';
import { wholeObject } from './whole-object.ts';

const capability = z
  .object({
    name: z.string().meta({
      description:
        'publish, first_comment, account_stats, post_stats, drafts (posts that the account owner finishes and publishes in the app of the platform) or unpublish (removing published posts).',
      example: 'publish',
    }),
    available: z.boolean(),
    reason: z.string().nullable().meta({
      description: 'Why it is not available: not_supported (by the platform or by Fanfare), missing_scope, token_expired or disconnected.',
    }),
    missing_scopes: z.array(z.string()).meta({ description: 'With missing_scope: the scopes to grant by reconnecting the account.' }),
  })
  .meta({ id: 'Capability' });

/** A connected account. */
export const integration = z
  .object({
    self: selfLink(),
    id: z.uuid(),
    business_id: z.uuid(),
    platform: z.string(),
    login: z
      .string()
      .nullable()
      .meta({
        description: `The login method of the account, if its platform has several (${platformsWithLogins()}); otherwise null.`,
        example: 'facebook',
      }),
    account_id: z.string().meta({ description: "The platform's id of the account." }),
    username: z.string().nullable(),
    display_name: z.string(),
    page: z.string().nullable().meta({ description: 'The page, location or organization that the account represents.' }),
    picture_url: z.string().nullable(),
    status: z.string().meta({
      description:
        'connected; expiring: works, but the access ends within a week unless a person reconnects it; expired: a person has to reconnect it; disconnected: removed, but keeps its id in case it is reconnected.',
      example: 'connected',
    }),
    scopes: z.array(z.string()).meta({ description: 'The granted scopes, as the platform names them.' }),
    token_expires_at: timestamp().nullable().meta({
      description: 'When the access token expires; null if it does not expire. Fanfare refreshes it before, if the platform supports that.',
    }),
    reconnect_by: timestamp().nullable().meta({
      description:
        'Until this time the access can be refreshed automatically; after it, a person has to reconnect the account. On some platforms each refresh extends this time. Null if the access does not expire, or the time is unknown.',
    }),
    capabilities: z.array(capability).meta({ description: 'What the account can do, and why other features are not available.' }),
    settings: z.record(z.string(), z.unknown()).meta({
      description:
        "Default options of the account's posts. They apply to each option that an override does not set. The object has the shape of the platform's options, such as FacebookOptions.",
    }),
    last_error: z.string().nullable().meta({
      description:
        'Why the access ended or cannot be refreshed; null when it works again. Errors of a post are in the publish results of that post.',
    }),
    reconnect_url: z
      .string()
      .nullable()
      .meta({ description: 'Where a person can reconnect it, if it is expiring, expired or disconnected; otherwise null.' }),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Integration' });

export const updateIntegrationBody = z
  .strictObject({
    settings: wholeObject().optional().meta({
      description:
        'Options to set, in the shape of the `options` of an override for this platform, such as FacebookOptions. null removes an option; options you do not send stay.',
    }),
  })
  .meta({ id: 'UpdateIntegration' });
