import { answered } from '../answer.ts';
import type { CallOptions } from '../call-options.ts';
import type { Caller } from '../caller.ts';
import { listIntegrations } from '../gen/sdk.gen.ts';
import type { ListIntegrationsData } from '../gen/types.gen.ts';
import { listing } from '../pages.ts';

export const integrations = ({ plain }: Caller) => ({
  list: (business_id: string, query: ListIntegrationsData['query'] = {}, options?: CallOptions) =>
    listing((cursor) =>
      answered(listIntegrations({ ...plain(options), path: { business_id }, query: { ...query, ...(cursor && { cursor }) } })),
    ),
});
