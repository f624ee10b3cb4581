import type { PostChanged } from '@fanfare/contracts/content/events';
import type { EventsHandler } from '@fanfare/events';
import type { Context } from '../context.ts';
import { touchMedia } from '../media/store/media.ts';
import { findReserved, putConfirmed } from '../media/store/reservations.ts';

/** Whether an event can change reservations. Most changes of a post do not change its media, and a new post without media has no reservation. */
export const changesMedia = ({ revision, neededMediaIds, neededMediaUnchanged }: PostChanged): boolean =>
  !neededMediaUnchanged && (revision > 1 || neededMediaIds.length > 0);

/** Replaces the reservation of a post by the media that it needs from now on. Events older than the stored revision change nothing. */
export const postChanged =
  ({ db }: Context): EventsHandler<PostChanged> =>
  async (events, session) => {
    // Of several events of a post, only the newest one matters.
    const newest = new Map<string, PostChanged>();
    for (const { data } of events) if (data.revision > (newest.get(data.postId)?.revision ?? 0)) newest.set(data.postId, data);
    const needs = [...newest.values()].map(({ neededMediaIds: mediaIds, ...data }) => ({
      ...data,
      holder: `post:${data.postId}`,
      mediaIds,
    }));
    const holders = needs.map(({ holder }) => holder);
    const before = await findReserved(db, holders, session);
    const newer = needs.filter(({ holder, revision }) => revision > (before.get(holder)?.revision ?? 0));
    for (const { holder, mediaIds, ...scope } of newer) {
      // Media that were not reserved before, such as those of the next post of a series, may be deleted at this moment: one of the two transactions fails.
      const added = mediaIds.filter((id) => !before.get(holder)?.mediaIds.has(id));
      if (added.length > 0) await touchMedia(db, scope, added, session);
    }
    await putConfirmed(
      db,
      newer.map((one) => ({ ...one, isAttempted: before.get(one.holder)?.isAttempted ?? false })),
      session,
    );
  };
