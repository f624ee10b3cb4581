import type { Folder } from '@fanfare/contracts/library/documents';
import { isoTime } from '@fanfare/resources';
import { z } from 'zod';
import { selfLink } from '../common/self-link.ts';
import { timestamp } from '../common/timestamp.ts';
import { folderField } from './folder-id.ts';
import { nodeName } from './node-name.ts';

/** A folder contains files, media and other folders. */
export const folder = z
  .object({
    self: selfLink(),
    id: z.uuid(),
    business_id: z.uuid(),
    name: z.string(),
    path: z.string().meta({ description: 'The path from the root, with slashes. It changes when a parent folder is renamed or moved.' }),
    created_at: timestamp(),
    parent_id: z.uuid().nullable().meta({ description: 'The parent folder; null for the root.' }),
    updated_at: timestamp(),
  })
  .meta({ id: 'Folder' });

const name = () => nodeName('Brand');

export const createFolderBody = z.strictObject({ name: name(), parent_id: folderField() }).meta({ id: 'CreateFolder' });

export const updateFolderBody = z.strictObject({ name: name().optional(), parent_id: folderField() }).meta({ id: 'UpdateFolder' });

export function folderFromProto(given: Folder): z.input<typeof folder> {
  return {
    id: given.id,
    business_id: given.businessId,
    name: given.name,
    path: given.path,
    created_at: isoTime(given.createdAt),
    parent_id: given.parentId ?? null,
    updated_at: isoTime(given.updatedAt),
  };
}
