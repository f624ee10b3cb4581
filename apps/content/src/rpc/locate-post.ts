import { notFound } from '@fanfare/errors';
import { findPostBusinessId } from '../posts/store/posts.ts';
import type { Rpc } from './rpc.ts';

export const locatePost: Rpc<'locatePost'> =
  ({ db }) =>
  async ({ postId }, { metadata }) => {
    const businessId = await findPostBusinessId(db, metadata.organizationId, postId);
    if (businessId === undefined) throw notFound('post');
    return { businessId };
  };
