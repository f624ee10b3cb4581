import { updateDesign as update } from '../designs/update-design.ts';
import { toDesign } from '../designs/to-design.ts';
import type { Rpc } from './rpc.ts';

export const updateDesign: Rpc<'updateDesign'> =
  (context) =>
  async (request, { metadata }) => ({
    design: toDesign(await update(context, request, metadata)),
  });
