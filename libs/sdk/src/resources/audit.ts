import { answered } from '../answer.ts';
import type { CallOptions } from '../call-options.ts';
import type { Caller } from '../caller.ts';
import { listAuditEntries } from '../gen/sdk.gen.ts';
import type { ListAuditEntriesData } from '../gen/types.gen.ts';
import { listing } from '../pages.ts';

export const audit = ({ plain }: Caller) => ({
  list: (query: ListAuditEntriesData['query'] = {}, options?: CallOptions) =>
    listing((cursor) => answered(listAuditEntries({ ...plain(options), query: { ...query, ...(cursor && { cursor }) } }))),
});
