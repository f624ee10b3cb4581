import { answered } from '../answer.ts';
import type { CallOptions } from '../call-options.ts';
import type { Caller } from '../caller.ts';
import { getPlan } from '../gen/sdk.gen.ts';
import type { GetPlanData } from '../gen/types.gen.ts';

export const plan = ({ plain }: Caller) => ({
  get: (query: GetPlanData['query'] = {}, options?: CallOptions) => answered(getPlan({ ...plain(options), query })),
});
