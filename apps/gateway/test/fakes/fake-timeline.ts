import type { Post } from '@fanfare/contracts/content';
import { TimelineServiceService, type Entry } from '@fanfare/contracts/timeline';
import { notFound } from '@fanfare/errors';
import type { Handlers } from '@fanfare/rpc';
import { unusedMethods } from '@fanfare/testing';
import type { Note } from '../note.ts';

/**
 * The entries of a fake service, in the order of the real ones.
 * @param posts of content, which knows whether a post exists
 */
export const fakeTimeline = (
  recorded: readonly { readonly postId: string; readonly entry: Entry }[],
  note: Note,
  posts?: ReadonlyMap<string, Post>,
): Handlers<typeof TimelineServiceService> => ({
  ...unusedMethods(TimelineServiceService),
  async listEntries(request, call) {
    note('listEntries', request, call);
    const { postId, after, pageSize } = request;
    if (posts && posts.get(postId)?.businessId !== call.metadata.businessId) throw notFound('post');
    const keyOf = ({ at, id }: { at: Date | undefined; id: string }) => `${at?.toISOString() ?? ''} ${id}`;
    const entries = recorded
      .flatMap((one) => (one.postId === postId && (!after || keyOf(one.entry) > keyOf(after)) ? one.entry : []))
      .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
      .slice(0, pageSize);
    return { entries };
  },
});
