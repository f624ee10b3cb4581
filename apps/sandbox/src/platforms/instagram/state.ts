import type { Processing } from '../../world/processing.ts';
import type { World } from '../../world/world.ts';

/** A media container: invisible, valid for a day and for one publish. */
export interface Container {
  id: string;
  account_id: string;
  media_type: 'IMAGE' | 'VIDEO' | 'REELS' | 'STORIES' | 'CAROUSEL';
  caption: string;
  carousel_item: boolean;
  children: string[];
  media_ids: string[];
  /** Its other parameters. */
  extras: Record<string, unknown>;
  /** Waits for bytes through rupload. */
  awaits_upload: boolean;
  processing: Processing;
  published_as: string | null;
  created_at: string;
}

export const containers = (world: World) => world.table<Container>('instagram.containers');

export const newInstagramId = (world: World) => `1800${String(world.nextNumber()).padStart(13, '0')}`;
