import type { SpooledFile } from '../../media/spool.ts';
import { secret, type World } from '../../world/world.ts';

/** A publishing task, created by an init, by its publish_id. */
export interface Task {
  id: string;
  user_id: string;
  kind: 'video' | 'photos';
  text: string;
  /** It goes to the inbox of the user. */
  is_draft: boolean;
  details: Record<string, unknown>;
  created_at: number;
  /** Videos: the announced upload and the received bytes. */
  upload: Upload | null;
  /** Set when everything was received: the result is in the post's processing. */
  post_id: string | null;
}

export interface Upload {
  number: string;
  token: string;
  bytes: number;
  chunk_bytes: number;
  chunk_count: number;
  received: number;
  expires_at: number;
}

export const tasks = (world: World) => world.table<Task>('tiktok.tasks');

/** Uploaded bytes; a restart loses them and the upload. */
const chunks = new WeakMap<Upload, SpooledFile[]>();

export function chunksOf(upload: Upload): SpooledFile[] {
  const received = chunks.get(upload) ?? [];
  chunks.set(upload, received);
  return received;
}

export const dropChunks = (upload: Upload) => chunks.delete(upload);

export const newUploadToken = () => secret('sbxttu_');

/** 19 digits: more than JavaScript's numbers can represent. */
export const newTiktokId = (world: World) => `75${String(world.nextNumber()).padStart(17, '0')}`;

export const newOpenId = (world: World) => `-000${String(world.nextNumber()).padStart(16, '0')}`;
