import { answered } from '../answer.ts';
import type { CallOptions } from '../call-options.ts';
import type { Caller } from '../caller.ts';
import { getHealth } from '../gen/sdk.gen.ts';

export const health = ({ plain }: Caller) => ({
  get: (options?: CallOptions) => answered(getHealth(plain(options))),
});
