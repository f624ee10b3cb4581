import type { PostChange } from '@fanfare/contracts/content/events';
import { DomainError } from '@fanfare/errors';
import type { PostDocument } from '../posts/store/posts.ts';
import { isBeingSent } from '../publishing/claim.ts';

/** A post after an edit, and what the edit was. Revision and time of the change are not yet counted. */
export interface Edited {
  readonly post: PostDocument;
  readonly changes: readonly PostChange[];
}

/** Decides what an edit makes of a post as it is now. Pure: it runs in the transaction that read the post, perhaps more than once. */
export type Edit = (post: PostDocument, now: Date) => Edited;

/** @throws DomainError conflict from the claim until every result is terminal */
export function checkNotBeingSent(post: PostDocument): void {
  if (isBeingSent(post)) {
    throw new DomainError('conflict', 'This post is being sent: it can be changed again when every publish result is terminal.');
  }
}

/** The post without a time; its verdict stays what it is. */
export function withoutTime(post: PostDocument): PostDocument {
  const { scheduled_publish_time: _time, next_due_at: _due, early_integration_ids: _early, ...rest } = post;
  return rest;
}

/** The post with a field of it, or without it. */
export function withField<K extends keyof PostDocument>(post: PostDocument, field: K, value: PostDocument[K] | undefined): PostDocument {
  const { [field]: _before, ...rest } = post;
  return (value === undefined ? rest : { ...rest, [field]: value }) as PostDocument;
}
