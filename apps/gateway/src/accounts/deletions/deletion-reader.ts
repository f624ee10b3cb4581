import type { Db } from 'mongodb';
import { listCurrentDeletions, type DeletionDocument } from '../store/deletions.ts';

/** What is being deleted, cached for a second, so that requests cost no query more. There are few at a time. */
export interface DeletionReader {
  /** The deletion of a business or an organization; undefined if there is none, or if it ended more than a day ago. */
  of(id: string): Promise<DeletionDocument | undefined>;
  /** This process has changed one: what it reads next is that. Others know within a second. */
  forget(): void;
}

const TTL_MS = 1_000;

export function createDeletionReader(db: Db): DeletionReader {
  let known: { readonly at: number; readonly deletions: Promise<ReadonlyMap<string, DeletionDocument>> } | undefined;
  const read = async () => new Map((await listCurrentDeletions(db)).map((one) => [one._id, one]));
  return {
    async of(id) {
      if (!known || performance.now() - known.at > TTL_MS) known = { at: performance.now(), deletions: read() };
      const { deletions } = known;
      deletions.catch(() => (known = undefined));
      return (await deletions).get(id);
    },
    forget() {
      known = undefined;
    },
  };
}
