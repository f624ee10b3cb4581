import type { Business } from '@fanfare/contracts/content';
import { z } from 'zod';
import { isoTime, timestamp } from './timestamp.ts';

/** A row of the list of businesses. */
export const businessSummary = z
  .object({
    id: z.uuid(),
    created_at: timestamp(),
    name: z.string(),
    description: z.string(),
    industry: z.string(),
    website: z.string(),
    language: z.string().meta({ example: 'en' }),
    updated_at: timestamp(),
  })
  .meta({ id: 'BusinessSummary' });

export function businessFromProto(business: Business): z.input<typeof businessSummary> {
  const { id, name, description, industry, website, language, createdAt, updatedAt } = business;
  return { id, created_at: isoTime(createdAt), name, description, industry, website, language, updated_at: isoTime(updatedAt) };
}
