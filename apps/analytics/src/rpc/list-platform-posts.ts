import { listPosts } from '../live/list-posts.ts';
import type { Rpc } from './rpc.ts';

export const listPlatformPosts: Rpc<'listPlatformPosts'> = (readers) => async (request, call) => {
  const account = await readers.findAccount(request.integrationId, call);
  return listPosts(readers, account, request, call);
};
