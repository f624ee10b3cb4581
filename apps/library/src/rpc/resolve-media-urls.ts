import { currentTime } from '@fanfare/runtime';
import { atMostHundred } from '../media/domain/at-most-hundred.ts';
import { scopeOf } from '../scope.ts';
import { findMedia, toMedia } from '../media/store/media.ts';
import type { Rpc } from './rpc.ts';

export const resolveMediaUrls: Rpc<'resolveMediaUrls'> = (context) => async (request, call) => {
  const { db, urls } = context;
  const scope = scopeOf(call.metadata);
  atMostHundred(request.urls, 'urls');
  const idByUrl = new Map<string, string>();
  for (const url of request.urls) {
    const id = urls.mediaIdOf(url, currentTime());
    if (id !== undefined) idByUrl.set(url, id);
  }
  const found = new Map((await findMedia(db, scope, [...idByUrl.values()])).map((one) => [one._id, one]));
  const named = [...idByUrl].flatMap(([url, id]) => {
    const one = found.get(id);
    return one ? [[url, toMedia(one, urls)] as const] : [];
  });
  return { mediaByUrl: Object.fromEntries(named) };
};
