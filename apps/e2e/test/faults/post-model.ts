/** What a customer does with posts, by their numbers. */
export type Action =
  | { readonly kind: 'edit' | 'schedule' | 'unschedule' | 'approve' | 'reject' | 'publish' | 'unpublish' | 'delete'; readonly post: number }
  | { readonly kind: 'queue'; readonly post: number; readonly queue: number; readonly position: number | undefined }
  /** The time of a scheduled post comes. */
  | { readonly kind: 'due'; readonly post: number }
  /** The next slot of a queue comes. */
  | { readonly kind: 'slot'; readonly queue: number };

/** A post, as its customer expects it to be. */
export interface ModelPost {
  readonly verdict: 'NEW' | 'DRAFT' | 'REJECTED';
  readonly isScheduled: boolean;
  readonly isDeleted: boolean;
  /** `doubtful`: its publisher was killed, and nobody knows whether the platform has it. */
  readonly published: 'no' | 'yes' | 'removed' | 'doubtful';
}

/** Posts, and the queues with the numbers of theirs in order. */
export interface Model {
  readonly posts: readonly ModelPost[];
  readonly queues: readonly (readonly number[])[];
}

/** What the API responds, and what has become of everything. `sent` is the number of a post that is published with it. */
export interface Step {
  readonly response: 'done' | 'conflict' | 'not_found';
  readonly model: Model;
  readonly sent?: number;
}

export const emptyModel = (posts: number, queues: number): Model => ({
  posts: Array.from({ length: posts }, () => ({ verdict: 'NEW', isScheduled: false, isDeleted: false, published: 'no' })),
  queues: Array.from({ length: queues }, () => []),
});

/** Whether a post is in a queue, or an action puts one there: two such actions at the same time may have either order. */
export const concernsQueues = (model: Model, action: Action): boolean =>
  action.kind === 'queue' || action.kind === 'slot' || model.queues.some((queue) => queue.includes(action.post));

/** The whole of the rules that a customer has to know. */
export function step(model: Model, action: Action): Step {
  if (action.kind === 'slot') {
    const [sent] = model.queues[action.queue] ?? [];
    return { response: 'done', ...(sent !== undefined && { sent }), model: sent === undefined ? model : put(model, sent, PUBLISHED) };
  }
  const { post: number } = action;
  const post = model.posts[number]!;
  const [isWaiting, isPublished] = [post.isScheduled || model.queues.some((queue) => queue.includes(number)), post.published !== 'no'];
  const done = (change: Partial<ModelPost>, place?: Place): Step => ({ response: 'done', model: put(model, number, change, place) });
  const conflict: Step = { response: 'conflict', model };
  // No call: its time comes, also if it was deleted.
  if (action.kind === 'due') return post.isScheduled ? { ...done(PUBLISHED), sent: number } : { response: 'done', model };
  if (post.isDeleted) return { response: 'not_found', model };
  switch (action.kind) {
    case 'edit':
      return { response: 'done', model };
    case 'schedule':
      return isPublished ? conflict : done({ isScheduled: true });
    case 'queue':
      return isPublished ? conflict : done({ isScheduled: false }, action);
    case 'unschedule':
      return isWaiting ? done({ isScheduled: false }) : conflict;
    case 'approve':
    case 'reject':
      return isWaiting || isPublished ? conflict : done({ verdict: action.kind === 'approve' ? 'DRAFT' : 'REJECTED' });
    case 'publish':
      return isPublished ? conflict : { ...done(PUBLISHED), sent: number };
    case 'unpublish':
      return isPublished ? done({ published: 'removed' }) : conflict;
    case 'delete':
      return done({ isDeleted: true, isScheduled: false });
  }
}

/** The status that the API shows; undefined for a deleted post. */
export function statusOf(model: Model, number: number): string | undefined {
  const { isDeleted, isScheduled, published, verdict } = model.posts[number]!;
  if (isDeleted) return undefined;
  if (published === 'yes' || published === 'removed') return 'PUBLISHED';
  return isScheduled || model.queues.some((queue) => queue.includes(number)) ? 'SCHEDULED' : verdict;
}

/** The model when it is not known whether a post was published. */
export const doubt = (model: Model, number: number): Model => put(model, number, { published: 'doubtful' });

const PUBLISHED: Partial<ModelPost> = { published: 'yes', isScheduled: false };

interface Place {
  readonly queue: number;
  /** From 1; at the end if undefined. */
  readonly position: number | undefined;
}

/** With the post changed, and in this place of a queue alone. One that only an edit, a review or a removal has changed is in none anyway. */
function put({ posts, queues }: Model, number: number, change: Partial<ModelPost>, place?: Place): Model {
  const without = queues.map((queue) => queue.filter((other) => other !== number));
  return {
    posts: posts.with(number, { ...posts[number]!, ...change }),
    queues: place ? without.with(place.queue, without[place.queue]!.toSpliced((place.position ?? Infinity) - 1, 0, number)) : without,
  };
}
