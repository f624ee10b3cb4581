import type { PostChanged } from '@fanfare/contracts/content/events';
import type { EventHandler } from '@fanfare/events';
import type { Context } from '../context.ts';
import { touchMedia } from '../store/media.ts';
import { findReserved, putConfirmed } from '../store/reservations.ts';

/** A post says what it needs from now on: that stays reserved until it says otherwise. News that are older than what is known change nothing. */
export const postChanged =
  ({ db }: Context): EventHandler<PostChanged> =>
  async ({ data: { postId, organizationId, businessId, revision, neededMediaIds: mediaIds } }, session) => {
    const scope = { organizationId, businessId };
    const holder = `post:${postId}`;
    const before = await findReserved(db, holder, session);
    if (before.revision >= revision) return;
    // What was not reserved before, such as media of the next post of a series, may be on its way out: one of the two comes first.
    const added = mediaIds.filter((id) => !before.mediaIds.has(id));
    if (added.length > 0) await touchMedia(db, scope, added, session);
    await putConfirmed(db, scope, { holder, revision, mediaIds }, session);
  };
