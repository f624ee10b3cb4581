import type { SpooledFile } from '../../media/spool.ts';
import type { Processing } from '../../world/processing.ts';
import type { World } from '../../world/world.ts';

/** An image or video that is being uploaded, or ready to be posted. */
export interface Asset {
  urn: string;
  kind: 'image' | 'video';
  owner: string;
  /** The member whose token started it. */
  member: string;
  /** Secret part of the upload URL; anyone who knows it may upload. */
  upload_key: string;
  upload_token: string;
  upload_ends_at: number;
  size: number | null;
  state: 'waiting' | 'sent';
  media_id: string | null;
  processing: Processing | null;
}

export const assets = (world: World) => world.table<Asset>('linkedin.assets');

export const assetByKey = (world: World, key: string) => [...assets(world).values()].find((one) => one.upload_key === key);

/** Uploaded parts; lost at a restart. */
const parts = new WeakMap<Asset, Map<number, { bytes: SpooledFile; etag: string }>>();

export function partsOf(asset: Asset): Map<number, { bytes: SpooledFile; etag: string }> {
  const received = parts.get(asset) ?? new Map<number, { bytes: SpooledFile; etag: string }>();
  parts.set(asset, received);
  return received;
}

export const dropParts = (asset: Asset) => parts.delete(asset);

/** Ascending in time. */
export const newNumber = (world: World) => `71${String(world.nextNumber()).padStart(17, '0')}`;

/** The authors of deleted posts, by URN. */
export const deletedPosts = (world: World) => world.table<string>('linkedin.deleted');
