import { deleteDesign as remove } from '../designs/delete-design.ts';
import type { Rpc } from './rpc.ts';

export const deleteDesign: Rpc<'deleteDesign'> =
  (context) =>
  async (request, { metadata }) => {
    await remove(context, request, metadata);
    return {};
  };
