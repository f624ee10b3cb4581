import { VERSIONS } from '@fanfare/resources';
import { z } from 'zod';
import { nonBlank, text } from '../../text/text.ts';
import { patternProblem } from '../common/event-types.ts';
import { organizationId } from '../common/organization-id.ts';
import { selfLink } from '../common/self-link.ts';
import { timestamp } from '../common/timestamp.ts';
import { platformName } from '../platforms/platform-name.ts';

const MAX_HEADERS = 20;
/** A token of RFC 9110, 5.6.2. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
/** Visible characters and spaces: nothing that ends the header. */
const HEADER_VALUE = /^[\x20-\x7e]{0,4096}$/;

const described = {
  events:
    'Types of events, such as `post.published`; `post.*` selects all types of posts, and `*` all types, both without `post.stats_milestone` and `account.stats`, which you must name. `webhook.test` is always sent to the endpoint that you test.',
  business_ids: 'Only events of these businesses. Empty selects all, and the events of the organization.',
  platforms:
    'Only events of these platforms. Empty selects all. Events without a platform are always selected; a post that is not sent yet has only the platforms that `restrict_publish_to` names.',
  description: 'Your note about the endpoint. Fanfare does not use it.',
  enabled:
    'Whether events are sent to the endpoint. An endpoint that is enabled again does not get the events that it missed; `recover_webhook` sends them.',
  version: 'The version of the API in which events are sent.',
  format:
    '`standard`: the event as JSON, signed. `slack`, `discord`: a message for people, for the URL of an incoming webhook of Slack or Discord. When you change it to `standard`, rotate the secret to get one.',
  ordered:
    'Whether later events of a resource wait while an earlier event is retried, until it succeeds or is no longer retried. If false, only the first attempts are in order.',
  rate: 'The maximum number of webhooks that are sent to the endpoint in a second; null: the endpoint has no limit of its own.',
};

const fields = {
  self: selfLink(),
  id: z.uuid(),
  organization_id: z.uuid(),
  url: z.string().meta({
    description:
      'The URL to which events are sent. The URL of an incoming webhook of Slack or Discord is a credential, so only its origin is shown.',
    example: 'https://example.com/hooks/fanfare',
  }),
  events: z.array(z.string()).meta({ description: described.events, example: ['post.*'] }),
  business_ids: z.array(z.uuid()).meta({ description: described.business_ids }),
  platforms: z.array(z.string()).meta({ description: described.platforms }),
  description: z.string().meta({ description: described.description }),
  headers: z.array(z.string()).meta({ description: 'The names of your headers. Their values are not returned.' }),
  enabled: z.boolean().meta({ description: described.enabled }),
  disabled_reason: z.enum(['requested', 'gone', 'failing']).nullable().meta({
    description:
      'Why the endpoint is disabled. `requested`: you disabled it. `gone`: it responded with 410. `failing`: every attempt has failed for five days.',
  }),
  version: z.string().meta({ description: described.version, example: VERSIONS.at(-1) }),
  format: z.enum(['standard', 'slack', 'discord']).meta({ description: described.format }),
  ordered: z.boolean().meta({ description: described.ordered }),
  rate_limit_per_second: z.int().nullable().meta({ description: described.rate }),
  failing_since: timestamp().nullable().meta({ description: 'Since when every attempt has failed; null if the last one succeeded.' }),
  former_secret_until: timestamp()
    .nullable()
    .meta({ description: 'Until when webhooks are also signed with the former secret, after the secret was rotated.' }),
  created_at: timestamp(),
  updated_at: timestamp(),
};

/** An endpoint without its secret. */
export const webhook = z.object(fields).meta({ id: 'Webhook' });

export const webhookWithSecret = z
  .object({
    ...fields,
    secret: z.string().nullable().meta({
      description: 'Verifies signatures. It is returned only in this response; null for Slack and Discord, whose messages are not signed.',
      example: 'whsec_…',
    }),
  })
  .meta({ id: 'WebhookWithSecret' });

const eventPattern = z.string().superRefine((pattern, context) => {
  const problem = patternProblem(pattern);
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
});

const headers = z
  .record(z.string(), z.string())
  .superRefine((given, context) => {
    const wrong = (message: string, path: string[] = []) => context.addIssue({ code: 'custom', message, path });
    const names = Object.keys(given);
    if (names.length > MAX_HEADERS) wrong(`must have at most ${MAX_HEADERS} headers`);
    for (const name of names) {
      if (!HEADER_NAME.test(name)) wrong(`has ${JSON.stringify(name.slice(0, 100))}, which cannot be the name of a header`);
      else if (!HEADER_VALUE.test(given[name] ?? ''))
        wrong('must have at most 4096 characters, all of them visible ASCII characters or spaces', [name]);
    }
  })
  .meta({
    description: `Headers that are sent with each webhook, for example for a gateway of yours: at most ${MAX_HEADERS}. Names that Fanfare or HTTP sets, such as Host, User-Agent, Content-Type and Webhook-Id, are reserved. Stored encrypted, and never returned.`,
    example: { Authorization: 'Bearer 4f8c…' },
  });

const given = {
  url: nonBlank(2048).meta({
    description: 'An https URL at a public address, with the port 443 or 8443. Redirects are not followed.',
    example: 'https://example.com/hooks/fanfare',
  }),
  events: z
    .array(eventPattern)
    .min(1)
    .max(50)
    .transform((patterns) => [...new Set(patterns)])
    .meta({ description: described.events, example: ['post.*'] }),
  business_ids: z
    .array(z.uuid().toLowerCase())
    .max(100)
    .transform((ids) => [...new Set(ids)])
    .meta({ description: described.business_ids }),
  platforms: z
    .array(platformName())
    .max(20)
    .transform((names) => [...new Set(names)])
    .meta({ description: described.platforms }),
  description: text(500).meta({ description: described.description }),
  enabled: z.boolean().meta({ description: described.enabled }),
  version: z.enum(VERSIONS).meta({ description: described.version }),
  format: z.enum(['standard', 'slack', 'discord']).meta({ description: described.format }),
  ordered: z.boolean().meta({ description: described.ordered }),
  rate_limit_per_second: z.int().min(1).max(1_000).nullable().meta({ description: described.rate }),
};

export const createWebhookBody = z
  .strictObject({
    organization_id: organizationId(),
    url: given.url,
    events: given.events,
    business_ids: given.business_ids.default([]),
    platforms: given.platforms.prefault([]),
    description: given.description.default(''),
    headers: headers.default({}),
    enabled: given.enabled.default(true),
    version: given.version.optional().meta({ description: `${described.version} By default that of this request.` }),
    format: given.format.default('standard'),
    ordered: given.ordered.default(false),
    rate_limit_per_second: given.rate_limit_per_second.default(null),
  })
  .meta({ id: 'CreateWebhook' });

export const updateWebhookBody = z
  .strictObject({
    organization_id: organizationId(),
    url: given.url.optional(),
    events: given.events.optional(),
    business_ids: given.business_ids.optional(),
    platforms: given.platforms.optional(),
    description: given.description.optional(),
    headers: headers.optional(),
    enabled: given.enabled.optional(),
    version: given.version.optional(),
    format: given.format.optional(),
    ordered: given.ordered.optional(),
    rate_limit_per_second: given.rate_limit_per_second.optional(),
  })
  .meta({ id: 'UpdateWebhook' });

export const webhookActionBody = z.strictObject({ organization_id: organizationId() }).meta({ id: 'WebhookAction' });
