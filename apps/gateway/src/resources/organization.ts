import { z } from 'zod';
import type { Membership } from '../store/callers.ts';
import type { OrganizationDocument } from '../store/organizations.ts';
import { selfLink } from './self-link.ts';
import { nonBlank } from './text.ts';
import { timestamp } from './timestamp.ts';

export const organization = z
  .object({
    self: selfLink(),
    id: z.uuid(),
    name: z.string().meta({ example: 'Corner Bakery' }),
    mode: z
      .string()
      .meta({ description: 'live, or test: then posts are meant for pretend platforms and keys begin with fk_test_.', example: 'live' }),
    plan: z.string().meta({ description: "The plan's id; see `GET /api/plan`.", example: 'default' }),
    role: z
      .string()
      .nullable()
      .meta({ description: 'Yours: owner, admin, editor or viewer. Null for an API key, which has full access.', example: 'owner' }),
    created_at: timestamp(),
  })
  .meta({ id: 'Organization' });

export const updateOrganizationBody = z.strictObject({ name: nonBlank(200).optional() }).meta({ id: 'UpdateOrganization' });

/** @param role the caller's; null for a key */
export function organizationFromStore(document: OrganizationDocument, role: Membership['role'] | null): z.input<typeof organization> {
  const { _id, name, mode, plan_id, created_at } = document;
  return { id: _id, name, mode, plan: plan_id, role, created_at: created_at.toISOString() };
}
