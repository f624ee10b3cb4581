import { notFound } from '@fanfare/errors';
import { findArchive } from '../archives/store/archives.ts';
import { expiryIn } from '../media/domain/expiry-in.ts';
import type { Rpc } from './rpc.ts';

export const signArchiveUrl: Rpc<'signArchiveUrl'> =
  ({ db, urls }) =>
  async ({ archiveId, validForSeconds }, { metadata }) => {
    const archive = await findArchive(db, metadata.organizationId, archiveId);
    if (!archive) throw notFound('archive');
    const expiresAt = expiryIn(validForSeconds);
    return {
      publicUrl: urls.expiring(archive._id, expiresAt).publicUrl,
      urlExpiresAt: expiresAt,
      sizeBytes: archive.size_bytes,
      sha256: archive.sha256,
      expiresAt: archive.expires_at,
    };
  };
