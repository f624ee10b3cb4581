import type { PlatformPost } from './reading.ts';

type Created = Pick<PlatformPost, 'createdAt'>;

interface Range {
  readonly from?: Date | undefined;
  readonly until?: Date | undefined;
}

/** For platforms that do not filter by time: whether an entry is in the range. One without a time is. */
export const createdWithin =
  ({ from, until }: Range) =>
  ({ createdAt }: Created): boolean =>
    createdAt === null || ((!from || createdAt >= from) && (!until || createdAt < until));

/** Whether a list, newest first, has gone past the range: what follows is older. */
export const isPast = (entries: readonly Created[], { from }: Range): boolean =>
  from !== undefined && entries.some(({ createdAt }) => createdAt !== null && createdAt < from);
