import type { Context } from '../context.ts';
import { parseStorageLimits } from '../domain/storage-limits.ts';
import { removeIntake } from '../store/intakes.ts';
import type { HeldIntake } from './hold-intake.ts';
import { storeMedia } from './store-media.ts';

/** Gets the bytes of an intake, from the web or from where they are staged, and makes them a media. */
export async function bringIn(context: Context, held: HeldIntake): Promise<void> {
  const { config, db, spool, web } = context;
  const { row, signal } = held;
  const scope = { organizationId: row.organization_id, businessId: row.business_id };
  const limits = parseStorageLimits(row.storage_limits);
  await spool.withFile(async (file) => {
    const { maxBytes, timeoutMs } = config.intakes;
    await web.download(row.url ?? '', { toFile: file, maxBytes, timeoutMs, accept: 'image/*, video/*', signal });
    await storeMedia(context, scope, { id: row._id, file, source: row.url ?? 'upload', altText: row.alt_text, limits });
  });
  await removeIntake(db, held.row);
}
