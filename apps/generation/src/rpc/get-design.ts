import { getDesign as get } from '../designs/store/designs.ts';
import { toDesign } from '../designs/to-design.ts';
import type { Rpc } from './rpc.ts';

export const getDesign: Rpc<'getDesign'> =
  ({ db }) =>
  async ({ designId }, { metadata }) => ({ design: toDesign(await get(db, metadata, designId)) });
