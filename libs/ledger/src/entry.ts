/** A value in the details of an entry; what JSON can express. */
export type Detail = string | number | boolean | null | readonly Detail[] | Details;
/** The details of an entry. Names with the value undefined are left out. */
export interface Details {
  readonly [name: string]: Detail | undefined;
}

/** Something that happened, as its writer describes it. */
export interface Fact {
  /** What happened, such as `created`. */
  readonly kind: string;
  /** Who did it: `key:{id}`, `user:{id}` or `system:{service}`. */
  readonly actor: string;
  /** The API request that caused it; absent or empty if none did. */
  readonly requestId?: string | undefined;
  readonly details?: Details;
}

/** What a chain is about: the same for all of its entries. */
export interface Subject {
  /** The id of the chain: a post's in content, a delivery's in the publisher. */
  readonly chain: string;
  readonly postId: string;
  readonly organizationId: string;
  readonly businessId: string;
}

/** The last entry of a chain. The writer stores it in the document that the chain is about, and so needs no query to append to the chain. */
export interface Head {
  n: number;
  hash: string;
  at: Date;
}

/** An entry without what is the same in the whole chain. */
export interface Link {
  /** Its position in the chain, from 1 and without gaps. */
  n: number;
  /** By the database's clock; never earlier than the entry before it. */
  at: Date;
  kind: string;
  actor: string;
  /** Empty if no API request caused it. */
  request_id: string;
  details: Details;
  /** The hash of the entry before it; empty in the first one. */
  previous_hash: string;
  /** The time of the entry before it: shows that a beginning that is missing has expired. Absent in the first one. */
  previous_at?: Date;
  hash: string;
}

/** An entry as it is stored. Entries are only ever inserted, and deleted when they expire. */
export interface EntryDocument extends Link {
  /** The chain and the position; sorts like the chain. */
  _id: string;
  chain: string;
  post_id: string;
  organization_id: string;
  business_id: string;
  /** When it was inserted. It expires by this time; not part of the hash. */
  recorded_at: Date;
}

/** @param n the position in the chain */
export const entryId = (chain: string, n: number): string => `${chain}:${String(n).padStart(POSITION_DIGITS, '0')}`;

const POSITION_DIGITS = 8;

/** The id after all entries of a chain. */
export const endOfChain = (chain: string): string => `${chain}:${'9'.repeat(POSITION_DIGITS)}`;

export function entryDocument(subject: Subject, link: Link, recordedAt: Date): EntryDocument {
  const { chain, postId, organizationId, businessId } = subject;
  return {
    _id: entryId(chain, link.n),
    chain,
    post_id: postId,
    organization_id: organizationId,
    business_id: businessId,
    ...link,
    recorded_at: recordedAt,
  };
}

export const subjectOf = ({ chain, post_id, organization_id, business_id }: EntryDocument): Subject => ({
  chain,
  postId: post_id,
  organizationId: organization_id,
  businessId: business_id,
});
