import type { Collection, Filter } from 'mongodb';
import type { Witness } from '../verify-chain.ts';

/** Some of the documents that chains are about, and the last entries that they name. */
export interface DocumentPage {
  readonly witnesses: readonly Witness[];
  /** Undefined on the last page. */
  readonly nextAfter: string | undefined;
}

const PAGE_SIZE = 2_000;

/**
 * All documents of a collection, page by page, in the order of their ids.
 * @param after `nextAfter` of the previous page; empty for the first one
 * @param projection the fields that `toWitnesses` reads
 */
export async function pageOfDocuments<T extends { _id: string }>(
  collection: Collection<T>,
  after: string,
  projection: Readonly<Record<string, 1>>,
  toWitnesses: (document: T) => readonly Witness[],
): Promise<DocumentPage> {
  const found = (await collection
    .find({ _id: { $gt: after } } as Filter<T>, { projection })
    .sort({ _id: 1 })
    .limit(PAGE_SIZE)
    .toArray()) as unknown as T[];
  return { witnesses: found.flatMap(toWitnesses), nextAfter: found.length < PAGE_SIZE ? undefined : found.at(-1)?._id };
}
