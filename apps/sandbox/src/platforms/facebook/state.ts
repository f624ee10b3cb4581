import type { Processing } from '../../world/processing.ts';
import type { World } from '../../world/world.ts';

/** A photo node: free until a post uses it. */
export interface Photo {
  id: string;
  page_id: string;
  media_id: string;
  published: boolean;
  post_id: string | null;
  created_at: string;
}

/** A video node, of `/videos` or of a reel session. */
export interface Video {
  id: string;
  page_id: string;
  reel: boolean;
  title: string | null;
  description: string | null;
  is_ai_generated: boolean | null;
  /** Its preferred thumbnail. */
  cover: { media_id: string; width: number; height: number } | null;
  length: number | null;
  /** The state of the transfer: none yet, in progress, done, or failed. */
  upload: 'not_started' | 'complete' | 'failed';
  upload_error: string | null;
  media_id: string | null;
  post_id: string | null;
  processing: Processing | null;
  created_at: string;
}

export const photos = (world: World) => world.table<Photo>('facebook.photos');
export const videos = (world: World) => world.table<Video>('facebook.videos');

export const newGraphId = (world: World) => `1220${String(world.nextNumber()).padStart(11, '0')}`;
