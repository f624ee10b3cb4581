import { now } from '@fanfare/runtime';
import { editDesign } from '../designs/store/designs.ts';
import { emitDesignsChanged } from '../designs/emit-designs-changed.ts';
import { retireRenderings } from '../media/store/uploads.ts';
import type { Rpc } from './rpc.ts';

/** Posts that use its media keep them. */
export const deleteDesign: Rpc<'deleteDesign'> =
  (context) =>
  async ({ operationId, designId, expectedRevisions }, { metadata }) => {
    const { db } = context;
    const edit = { operationId, expectedRevisions, at: now(metadata.organizationId) };
    await context.transact(async (session) => {
      const design = await editDesign(db, metadata, designId, { deleted: true }, edit, session);
      const mediaIds = design.media.map(({ id }) => id);
      await retireRenderings(db, metadata, designId, { mediaIds, inMs: context.config.uploads.retiredMs }, session);
      await emitDesignsChanged(db, session, [design], metadata);
    });
    return {};
  };
