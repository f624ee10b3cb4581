import { answered } from '../answer.ts';
import type { CallOptions, EditOptions } from '../call-options.ts';
import type { Caller } from '../caller.ts';
import { getMe, updateMe } from '../gen/sdk.gen.ts';
import type { UpdateMe } from '../gen/types.gen.ts';

export const me = ({ plain, edit }: Caller) => ({
  get: (options?: CallOptions) => answered(getMe({ ...plain(options) })),
  update: (body: UpdateMe, options?: EditOptions) => answered(updateMe({ ...edit(options), body })),
});
