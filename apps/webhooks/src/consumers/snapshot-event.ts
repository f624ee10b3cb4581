import type { AccountSnapshotTaken, PostSnapshotTaken } from '@fanfare/contracts/analytics/events';
import type { Received } from '@fanfare/events';
import { accountStatsFromProto, postStatsFromProto } from '@fanfare/resources';
import type { NewEvent } from '../feed/event.ts';
import { newEvent } from './new-event.ts';

/** The age of a post whose statistics are an event. */
export const MILESTONE_HOURS = 24;

export const postSnapshotEvent = (received: Received<PostSnapshotTaken>): NewEvent => {
  const { postId, integrationId, platform, publishId, snapshot } = received.data;
  const target = { integrationId, platform, publishId };
  const result = { target, stats: snapshot?.stats, unavailableReason: '', history: [] };
  const data = postStatsFromProto(postId, [result], false);
  return {
    ...newEvent(received, { types: () => ['post.stats_milestone'], data, platforms: [platform], remembered: 'not' }),
    // The revision is that of the snapshot, but its events are ordered with those of the post.
    resource_id: postId,
  };
};

export const accountSnapshotEvent = (received: Received<AccountSnapshotTaken>): NewEvent | undefined => {
  const { platform, stats } = received.data;
  return (
    stats &&
    newEvent(received, { types: () => ['account.stats'], data: accountStatsFromProto(stats), platforms: [platform], remembered: 'not' })
  );
};
