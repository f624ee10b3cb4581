import { answered } from '../answer.ts';
import type { CallOptions } from '../call-options.ts';
import type { Caller } from '../caller.ts';
import { endOtherSessions, endSession, listSessions } from '../gen/sdk.gen.ts';
import type { ListSessionsData } from '../gen/types.gen.ts';
import { listing } from '../pages.ts';

export const sessions = ({ plain }: Caller) => ({
  list: (query: ListSessionsData['query'] = {}, options?: CallOptions) =>
    listing((cursor) => answered(listSessions({ ...plain(options), query: { ...query, ...(cursor && { cursor }) } }))),
  end: (session_id: string, options?: CallOptions) => answered(endSession({ ...plain(options), path: { session_id } })),
  endOthers: (options?: CallOptions) => answered(endOtherSessions({ ...plain(options) })),
});
