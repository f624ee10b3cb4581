import type { PostChange } from '@fanfare/contracts/content/events';
import { chained, type Recorded } from '@fanfare/ledger';
import { now } from '@fanfare/runtime';
import type { PostDocument } from '../post.ts';
import { postEntries } from './post-entries.ts';

/** Who writes a post, and what it changes. */
export interface PostWrite {
  readonly cause?: { readonly actor: string; readonly requestId?: string } | undefined;
  readonly changes?: readonly PostChange[] | undefined;
  /** Of a publication: the caller has confirmed that accounts with an unknown outcome do not have the post. */
  readonly confirmNotPublished?: boolean | undefined;
}

/**
 * A post with the head of its timeline after a write, and the new entries. Both are written in the transaction of the write. The head is in the post, which
 * is written anyway, so that appending needs no query.
 */
export function recorded(
  before: PostDocument | undefined,
  after: PostDocument,
  { cause, changes, confirmNotPublished }: PostWrite,
): { readonly post: PostDocument; readonly recorded: Recorded } {
  const { _id: chain, organization_id: organizationId, business_id: businessId } = after;
  const subject = { chain, postId: chain, organizationId, businessId };
  const { actor = 'system:content', requestId } = cause ?? {};
  const entries = postEntries(before, after, changes, confirmNotPublished).map((entry) => ({ ...entry, actor, requestId }));
  const { links, head } = chained(subject, before?.ledger, entries, now(organizationId));
  return { post: head ? { ...after, ledger: head } : after, recorded: { subject, links } };
}
