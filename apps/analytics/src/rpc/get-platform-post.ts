import { type GetPlatformPostResponse } from '@fanfare/contracts/analytics';
import { notFound } from '@fanfare/errors';
import { readPost } from '../live/read-post.ts';
import type { Rpc } from './rpc.ts';

export const getPlatformPost: Rpc<'getPlatformPost'> =
  (readers) =>
  async ({ integrationId, publishId, isFresh }, call): Promise<GetPlatformPostResponse> => {
    const account = await readers.findAccount(integrationId, call);
    const found = await readPost(readers, account, publishId, isFresh, call);
    if (!found.post) throw notFound('post');
    return found;
  };
