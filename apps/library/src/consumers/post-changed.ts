import type { PostChanged } from '@fanfare/contracts/content/events';
import type { EventsHandler } from '@fanfare/events';
import type { Context } from '../context.ts';
import { touchMedia } from '../media/store/media.ts';
import { findReserved, putConfirmed } from '../media/store/reservations.ts';

/** Most changes of a post leave its media as they are, and a new one that has none needed none before: there is nothing to reserve or to give up. */
export const changesMedia = ({ revision, neededMediaIds, neededMediaUnchanged }: PostChanged): boolean =>
  !neededMediaUnchanged && (revision > 1 || neededMediaIds.length > 0);

/** A post says what it needs from now on: that stays reserved until it says otherwise. News that are older than what is known change nothing. */
export const postChanged =
  ({ db }: Context): EventsHandler<PostChanged> =>
  async (events, session) => {
    // Of several about a post the newest is all that counts.
    const newest = new Map<string, PostChanged>();
    for (const { data } of events) if (data.revision > (newest.get(data.postId)?.revision ?? 0)) newest.set(data.postId, data);
    const said = [...newest.values()].map(({ neededMediaIds: mediaIds, ...data }) => ({
      ...data,
      holder: `post:${data.postId}`,
      mediaIds,
    }));
    const holders = said.map(({ holder }) => holder);
    const before = await findReserved(db, holders, session);
    const news = said.filter(({ holder, revision }) => revision > (before.get(holder)?.revision ?? 0));
    for (const { holder, mediaIds, ...scope } of news) {
      // What was not reserved before, such as media of the next post of a series, may be on its way out: one of the two comes first.
      const added = mediaIds.filter((id) => !before.get(holder)?.mediaIds.has(id));
      if (added.length > 0) await touchMedia(db, scope, added, session);
    }
    await putConfirmed(
      db,
      news.map((one) => ({ ...one, isAttempted: before.get(one.holder)?.isAttempted ?? false })),
      session,
    );
  };
