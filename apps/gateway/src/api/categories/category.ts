import type { Category } from '@fanfare/contracts/content/topics';
import { isoTime } from '@fanfare/resources';
import { z } from 'zod';
import { nonBlank } from '../../text/text.ts';
import { selfLink } from '../common/self-link.ts';
import { timestamp } from '../common/timestamp.ts';

/** A group of topics. */
export const category = z
  .object({
    self: selfLink(),
    id: z.uuid(),
    business_id: z.uuid(),
    name: z.string().meta({ description: 'Unique in the business, case-insensitive.' }),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Category' });

const name = () => nonBlank(100).meta({ example: 'Behind the counter' });

export const createCategoryBody = z.strictObject({ name: name() }).meta({ id: 'CreateCategory' });

export const updateCategoryBody = z.strictObject({ name: name().optional() }).meta({ id: 'UpdateCategory' });

export function categoryFromProto({ id, businessId, name, createdAt, updatedAt }: Category): z.input<typeof category> {
  return { id, business_id: businessId, name, created_at: isoTime(createdAt), updated_at: isoTime(updatedAt) };
}
