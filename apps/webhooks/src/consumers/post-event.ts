import type { Post } from '@fanfare/contracts/content';
import type { PostChange, PostChanged } from '@fanfare/contracts/content/events';
import type { Received } from '@fanfare/events';
import { postFromProto, type EventTypeName, type Urls } from '@fanfare/resources';
import type { NewEvent } from '../feed/event.ts';
import { newEvent } from './new-event.ts';

const TYPES: Readonly<Partial<Record<PostChange, EventTypeName>>> = {
  POST_CHANGE_CREATED: 'post.created',
  POST_CHANGE_UPDATED: 'post.updated',
  POST_CHANGE_SCHEDULED: 'post.scheduled',
  POST_CHANGE_UNSCHEDULED: 'post.unscheduled',
  POST_CHANGE_APPROVED: 'post.approved',
  POST_CHANGE_REJECTED: 'post.rejected',
  POST_CHANGE_DELETED: 'post.deleted',
  POST_CHANGE_AT_RISK: 'post.at_risk',
  POST_CHANGE_UNPUBLISHED: 'post.unpublished',
};

/** A change of a post can be several events, such as of a post that is created with a scheduled time. */
export const postEvent =
  (urls: Urls) =>
  (received: Received<PostChanged>): NewEvent | undefined => {
    const { changes, post, succeeded, failed } = received.data;
    if (!post) return undefined;
    const types = changes.map((change) => (change === 'POST_CHANGE_ENDED' ? ended(succeeded, failed) : TYPES[change]));
    const known = types.filter((type) => type !== undefined);
    const platforms = platformsOf(post);
    const data = postFromProto(post, urls);
    return newEvent(received, { types: () => known, data, ...(platforms.length > 0 && { platforms }), remembered: 'as_events' });
  };

/** Empty if it is not known yet: a post without a restriction goes to the accounts that are connected when it is published. */
const platformsOf = ({ publishResults, restrictPublishTo }: Post): string[] => [
  ...new Set([...publishResults.map(({ platform }) => platform), ...restrictPublishTo]),
];

const ended = (succeeded: number, failed: number): EventTypeName =>
  succeeded === 0 ? 'post.failed' : failed === 0 ? 'post.published' : 'post.partially_published';
