import { topics } from '@fanfare/contracts';
import { Media } from '@fanfare/contracts/library';
import { MediaChanged, type MediaChange } from '@fanfare/contracts/library/events';
import type { Call, TestContent } from '../running-content.ts';

let mediaRevision = 1;

/** Adds media to the library for the call of the current test, and emits their changes. */
export function postsWithMedia(on: { readonly content: TestContent; readonly call: Call }) {
  const aMedia = (more: Partial<Media> = {}) => on.content.library.add(on.call.call.metadata.businessId, more);
  /** Emits a change of media. */
  const emitMediaChange = async (
    mediaId: string,
    change: MediaChange,
    more: Partial<Media> = {},
    revision = ++mediaRevision,
  ): Promise<void> => {
    const { organizationId, businessId } = on.call.call.metadata;
    const media =
      change === 'MEDIA_CHANGE_DELETED' ? undefined : Media.fromPartial({ id: mediaId, businessId, type: 'MEDIA_TYPE_IMAGE', ...more });
    const data = MediaChanged.fromPartial({ mediaId, organizationId, businessId, revision, change, media });
    await on.content.peer.emit(topics.mediaChanged, [
      { emission: { subject: mediaId, revision, organizationId, businessId, flowId: 'flow' }, data },
    ]);
  };
  return { aMedia, emitMediaChange };
}
