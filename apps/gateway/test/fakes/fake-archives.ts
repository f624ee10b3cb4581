import type { LibraryServiceService } from '@fanfare/contracts/library';
import { notFound } from '@fanfare/errors';
import type { Handlers } from '@fanfare/rpc';
import type { Note } from '../note.ts';
import { AT, inADay } from '../values.ts';

export const fakeArchives = (
  archives: ReadonlyMap<string, Buffer>,
  note: Note,
): Pick<Handlers<typeof LibraryServiceService>, 'signArchiveUrl'> => ({
  async signArchiveUrl(request, call) {
    note('signArchiveUrl', request, call);
    const archive = archives.get(request.archiveId);
    if (!archive) throw notFound('archive');
    const publicUrl = `http://127.0.0.1/media/${request.archiveId}/signed?expires=1`;
    return { publicUrl, urlExpiresAt: AT, sizeBytes: archive.length, sha256: 'the hash of the archive', expiresAt: inADay() };
  },
});
