import { keyUses } from '@fanfare/runtime';
import { countSealedByKey } from '../endpoints/store/endpoints.ts';
import type { Rpc } from './rpc.ts';

export const countSecrets: Rpc<'countSecrets'> =
  ({ db, keyring }) =>
  async () => ({ keys: keyUses(keyring, await countSealedByKey(db)) });
