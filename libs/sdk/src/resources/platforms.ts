import { answered } from '../answer.ts';
import type { CallOptions } from '../call-options.ts';
import type { Caller } from '../caller.ts';
import { listPlatforms } from '../gen/sdk.gen.ts';

export const platforms = ({ plain }: Caller) => ({
  /** What each platform takes: the tables that posts are checked by. They change with a release of the service alone. */
  list: (options?: CallOptions) => answered(listPlatforms(plain(options))),
});
