import { platformLabel } from '@fanfare/connectors/platform';
import type { Entry } from '@fanfare/contracts/timeline';
import { isoTime } from '@fanfare/resources';
import { z } from 'zod';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';
import { timestamp } from '../common/timestamp.ts';
import { deliveryKinds } from './delivery-kinds.ts';
import type { Kind } from './kind.ts';
import { postKinds } from './post-kinds.ts';

const KINDS: Readonly<Record<string, Kind>> = { ...postKinds, ...deliveryKinds };

const shape = {
  id: z.string().meta({ description: 'The id of the entry, an opaque string.' }),
  at: timestamp(),
  actor: z.string().meta({ description: 'Who did it: `key:<id>`, `user:<id>` or `system:<service>`.', example: 'system:publisher' }),
  request_id: z.string().nullable().meta({ description: 'The `X-Request-ID` of the request that caused it; null if none did.' }),
  platform: z.string().nullable().meta({
    description:
      'The platform that the entry is about. Null if it is about the post as a whole; then `integration_id` and `delivery_id` are null, too.',
  }),
  integration_id: z.string().nullable().meta({ description: 'The connected account.' }),
  delivery_id: z.string().nullable().meta({ description: 'The delivery to this account.' }),
  summary: z.string().meta({ description: 'What happened, in a sentence for people. Its wording may change.' }),
};

const schemas = Object.entries(KINDS).map(([name, { description, details }]) =>
  z
    .object({ ...shape, kind: z.literal(name), details: z.object(details) })
    .meta({ id: `Timeline_${name}`.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()), description }),
);
type Schema = (typeof schemas)[number];

export const timelineEntry = z.discriminatedUnion('kind', schemas as [Schema, ...Schema[]]).meta({
  id: 'TimelineEntry',
  description: 'Something that happened to a post. `details` depend on `kind`. New kinds, and new details of a kind, may be added.',
});

type Body = z.input<typeof timelineEntry>;

/** @param entry of content or the publisher */
export function entryFromProto(entry: Entry): Body {
  const { platform, integration_id, delivery_id, ...stored } = (entry.details ?? {}) as Readonly<Record<string, unknown>>;
  const textOf = (value: unknown) => (typeof value === 'string' ? value : null);
  const kind = KINDS[entry.kind];
  // A service of a newer version may record kinds that this process does not know.
  const details = kind ? Object.fromEntries(Object.keys(kind.details).map((name) => [name, stored[name] ?? null])) : stored;
  const where = platformLabel(textOf(platform) ?? 'the platform');
  return {
    id: entry.id,
    at: isoTime(entry.at),
    kind: entry.kind,
    actor: entry.actor,
    request_id: entry.requestId || null,
    platform: textOf(platform),
    integration_id: textOf(integration_id),
    delivery_id: textOf(delivery_id),
    summary: kind?.summary(details, where) ?? entry.kind,
    details,
  };
}

/** An example of each kind, for the OpenAPI description and tests. */
export const exampleEntries: readonly Body[] = Object.entries(KINDS).map(([name, { example }], index) => {
  const isOfDelivery = Object.hasOwn(deliveryKinds, name);
  const { delivery_id, integration_id, post_id } = EXAMPLE_IDS;
  const target = isOfDelivery ? { platform: 'facebook', integration_id, delivery_id } : {};
  const number = String(index + 1).padStart(8, '0');
  return entryFromProto({
    id: `${isOfDelivery ? delivery_id : post_id}:${number}`,
    at: new Date(Date.UTC(2026, 7, 7, 7, 0, index)),
    kind: name,
    actor: isOfDelivery ? 'system:publisher' : `key:${EXAMPLE_IDS.key_id}`,
    requestId: isOfDelivery ? '' : 'req_01K2M3N4P5Q6R7S8T9V0W1X2Y3',
    details: { ...target, ...example },
  });
});
