import { z } from 'zod';
import type { DeletionDocument, OrganizationDocument } from '../../accounts/index.ts';
import { displayName } from '../../text/text.ts';
import { deletion, deletionFromStore } from '../common/deletion.ts';
import { selfLink } from '../common/self-link.ts';
import { timestamp } from '../common/timestamp.ts';

export const organization = z
  .object({
    self: selfLink(),
    id: z.uuid(),
    name: z.string().meta({ example: 'Corner Bakery' }),
    mode: z
      .string()
      .meta({ description: 'live; or test: posts go to simulated platforms, and keys begin with fk_test_.', example: 'live' }),
    plan: z.string().meta({ description: "The plan's id; see `GET /api/plan`.", example: 'default' }),
    created_at: timestamp(),
    deletion: deletion
      .nullable()
      .meta({ description: 'The pending deletion, during which nothing of its businesses is published; null if there is none.' }),
  })
  .meta({ id: 'Organization' });

export const updateOrganizationBody = z.strictObject({ name: displayName(200).optional() }).meta({ id: 'UpdateOrganization' });

/** @param deleting its deletion, if it is being deleted */
export function organizationFromStore(document: OrganizationDocument, deleting?: DeletionDocument): z.input<typeof organization> {
  const { _id, name, mode, plan_id, created_at } = document;
  return { id: _id, name, mode, plan: plan_id, created_at: created_at.toISOString(), deletion: deletionFromStore(deleting) };
}
