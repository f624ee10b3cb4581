import { z } from 'zod';
import { type ApiKeyDocument, type EndedKey, lineageOf } from '../../accounts/index.ts';
import { nonBlank } from '../../text/text.ts';
import { actor, toActor } from '../common/actor.ts';
import { organizationId } from '../common/organization-id.ts';
import { selfLink } from '../common/self-link.ts';
import { timestamp, timestampInput } from '../common/timestamp.ts';

const fields = {
  self: selfLink(),
  id: z.uuid(),
  organization_id: z.uuid(),
  name: z.string().meta({ description: 'What the key is for.', example: 'Build server' }),
  hint: z.string().meta({ description: 'The last four characters of the secret.', example: 'x7Qa' }),
  created_at: timestamp(),
  created_by: actor,
  owner: actor.meta({
    description:
      'The user, key or operator that created the key or took it over. If the owner leaves, is no longer an admin or is revoked, the key is revoked too, unless it is handed over.',
  }),
  expires_at: timestamp().nullable().meta({ description: 'When the key expires; null if it does not expire.' }),
  last_used_at: timestamp().nullable().meta({ description: 'When the key was last used, up to a minute late; null if never.' }),
  rotated_from: z.uuid().nullable().meta({ description: 'The id of the key that this key replaced.' }),
};

/** A key without its secret, as all later reads show it. */
export const apiKey = z.object(fields).meta({ id: 'ApiKey' });

export const newApiKeyResource = z
  .object({
    ...fields,
    secret: z.string().meta({ description: 'The secret. It is returned only in this response.', example: 'fk_live_Jx…' }),
  })
  .meta({ id: 'NewApiKey' });

const expiresAt = (description: string) => timestampInput().nullish().meta({ description });

export const createApiKeyBody = z
  .strictObject({
    organization_id: organizationId(),
    name: nonBlank(100).meta({ description: 'What the key is for.', example: 'Build server' }),
    expires_at: expiresAt(
      'A time in the future. If null or missing, the key does not expire; a key created by an expiring key expires with that key.',
    ),
  })
  .meta({ id: 'CreateApiKey' });

export const rotateApiKeyBody = z
  .strictObject({
    organization_id: organizationId(),
    overlap_seconds: z
      .int()
      .min(0)
      .max(7 * 24 * 60 * 60)
      .default(24 * 60 * 60)
      .meta({ description: 'For how many seconds the old key keeps working, unless it expires sooner: up to seven days.' }),
    expires_at: expiresAt('When the new key expires; null: never. If missing, it gets the same lifetime as the old key.'),
  })
  .meta({ id: 'RotateApiKey' });

/** The response of a deletion that may also revoke or hand over keys. */
export const deletedWithKeys = (id: string, whose: string) =>
  z
    .object({
      status: z.literal('deleted'),
      keys: z
        .array(
          z
            .object({
              id: fields.id,
              name: fields.name,
              hint: fields.hint,
              outcome: z.string().meta({ description: 'revoked or handed_over.', example: 'revoked' }),
            })
            .meta({ id: 'EndedKey' }),
        )
        .meta({ description: `What happened to the active keys of ${whose}, and to the keys that those created.` }),
    })
    .meta({ id });

/** What a handler of such a deletion returns. */
export const withEndedKeys = (ended: readonly EndedKey[]) => ({
  body: { status: 'deleted' as const, keys: ended.map(({ key: { _id, name, hint }, outcome }) => ({ id: _id, name, hint, outcome })) },
});

export function apiKeyFromStore(key: ApiKeyDocument): z.input<typeof apiKey> {
  return {
    id: key._id,
    organization_id: key.organization_id,
    name: key.name,
    hint: key.hint,
    created_at: key.created_at.toISOString(),
    created_by: toActor(key.created_by ?? 'system', key.created_by_name),
    owner: ownerOf(key),
    expires_at: key.expires_at?.toISOString() ?? null,
    last_used_at: key.last_used_at?.toISOString() ?? null,
    rotated_from: key.rotated_from ?? null,
  };
}

function ownerOf(key: ApiKeyDocument) {
  const [owner = 'system'] = lineageOf(key);
  return toActor(owner, owner === key.created_by ? key.created_by_name : key.owner_name);
}
