import type { SpooledFile } from '../../media/spool.ts';
import type { Processing } from '../../world/processing.ts';
import type { World } from '../../world/world.ts';
import type { Category } from './limits.ts';

export interface Upload {
  id: string;
  media_key: string;
  user_id: string;
  category: Category;
  media_type: string;
  total_bytes: number;
  state: 'receiving' | 'finalized';
  media_id: string | null;
  processing: Processing | null;
  expires_at: number;
}

export const uploads = (world: World) => world.table<Upload>('x.uploads');

/** Uploaded bytes; lost at a restart. */
const segments = new WeakMap<Upload, Map<number, SpooledFile>>();

export function segmentsOf(upload: Upload): Map<number, SpooledFile> {
  const received = segments.get(upload) ?? new Map<number, SpooledFile>();
  segments.set(upload, received);
  return received;
}

export const dropSegments = (upload: Upload) => segments.delete(upload);

/** Ascending in time, as X's ids are. */
export const newXId = (world: World) => `19${String(world.nextNumber()).padStart(17, '0')}`;
