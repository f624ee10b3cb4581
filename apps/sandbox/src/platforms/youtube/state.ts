import type { SpooledFile } from '../../media/spool.ts';
import type { World } from '../../world/world.ts';
import type { VideoBody } from './video-body.ts';

/** One resumable upload. */
export interface Session {
  upload_id: string;
  channel_id: string;
  body: VideoBody;
  parts: string[];
  /** Whether subscribers are notified; null if not set. */
  notify_subscribers: boolean | null;
  media_type: string;
  size: number;
  /** The size in bytes. */
  offset: number;
  expires_at: number;
  video_id: string | null;
}

export const sessions = (world: World) => world.table<Session>('youtube.sessions');

/** Uploaded bytes; a restart loses them and the session. */
const received = new WeakMap<Session, SpooledFile[]>();

export function bytesOf(session: Session): SpooledFile[] | undefined {
  if (session.offset === 0 && !received.has(session)) received.set(session, []);
  return received.get(session);
}

export const dropBytes = (session: Session) => received.delete(session);

/** Eleven characters, like YouTube's; ascending here. */
export const newVideoId = (world: World) => `sbx${String(world.nextNumber()).padStart(8, '0')}`;
