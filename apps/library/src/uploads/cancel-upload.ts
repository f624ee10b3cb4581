import type { Context } from '../context.ts';
import type { Scope } from '../scope.ts';
import { findTusUpload, abandonTusUpload } from './store/tus-uploads.ts';

/** Cancels an open upload and deletes its bytes. Returns false if there is no such upload, or it is not open. */
export async function cancelUpload({ blobs, db }: Pick<Context, 'blobs' | 'db'>, scope: Scope, id: string): Promise<boolean> {
  const upload = await findTusUpload(db, scope, id);
  if (!upload || !(await abandonTusUpload(db, id))) return false;
  await blobs.remove(upload.blob_id);
  return true;
}
