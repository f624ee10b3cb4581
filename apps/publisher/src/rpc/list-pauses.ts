import { listPauses as list, toPause } from '../pauses/store/pauses.ts';
import type { Rpc } from './rpc.ts';

export const listPauses: Rpc<'listPauses'> =
  ({ db }) =>
  async () => ({ pauses: (await list(db)).map(toPause) });
