import { createDesign as create } from '../designs/create-design.ts';
import { toDesign } from '../designs/to-design.ts';
import type { Rpc } from './rpc.ts';

export const createDesign: Rpc<'createDesign'> =
  (context) =>
  async (request, { metadata }) => ({
    design: toDesign(await create(context, request, metadata)),
  });
