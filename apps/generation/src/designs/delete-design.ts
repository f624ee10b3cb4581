import type { DeleteDesignRequest } from '@fanfare/contracts/generation/designs';
import type { CallMetadata } from '@fanfare/rpc';
import { now } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { emitDesignsChanged } from './emit-designs-changed.ts';
import { retireRenderings } from '../media/store/uploads.ts';
import { editDesign } from './store/designs.ts';

/** Deletes a design, with its event. Posts that use its media keep them. */
export async function deleteDesign(
  { config, db, transact }: Pick<Context, 'config' | 'db' | 'transact'>,
  { operationId, designId, expectedRevisions }: DeleteDesignRequest,
  metadata: CallMetadata,
): Promise<void> {
  const edit = { operationId, expectedRevisions, at: now(metadata.organizationId) };
  await transact(async (session) => {
    const design = await editDesign(db, metadata, designId, { deleted: true }, edit, session);
    const mediaIds = design.media.map(({ id }) => id);
    await retireRenderings(db, metadata, designId, { mediaIds, inMs: config.uploads.retiredMs }, session);
    await emitDesignsChanged(db, session, [design], metadata);
  });
}
