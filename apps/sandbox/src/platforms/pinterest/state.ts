import type { Processing } from '../../world/processing.ts';
import type { World } from '../../world/world.ts';

export interface Board {
  id: string;
  owner_id: string;
  name: string;
  created_at: string;
  sections: { id: string; name: string }[];
}

/** A registered upload, with the form that was signed for it. */
export interface Upload {
  id: string;
  account_id: string;
  parameters: Record<string, string>;
  expires_at: number;
  media_id: string | null;
  processing: Processing | null;
}

export const boards = (world: World) => world.table<Board>('pinterest.boards');

export const uploads = (world: World) => world.table<Upload>('pinterest.uploads');

export const newPinterestId = (world: World) => `8101${String(world.nextNumber()).padStart(14, '0')}`;
