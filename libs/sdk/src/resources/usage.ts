import { answered } from '../answer.ts';
import type { CallOptions } from '../call-options.ts';
import type { Caller } from '../caller.ts';
import { getUsage } from '../gen/sdk.gen.ts';
import type { GetUsageData } from '../gen/types.gen.ts';

export const usage = ({ plain }: Caller) => ({
  get: (query: GetUsageData['query'] = {}, options?: CallOptions) => answered(getUsage({ ...plain(options), query })),
});
