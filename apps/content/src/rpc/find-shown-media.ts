import { findShownMediaIds } from '../posts/store/post-designs.ts';
import type { Rpc } from './rpc.ts';

export const findShownMedia: Rpc<'findShownMedia'> =
  ({ db }) =>
  async ({ designId, mediaIds }, { metadata }) => ({ mediaIds: await findShownMediaIds(db, metadata, designId, mediaIds) });
