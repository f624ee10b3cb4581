import { keyUses } from '@fanfare/runtime';
import { countSecretsByKey } from '../accounts/store/secrets.ts';
import type { Rpc } from './rpc.ts';

export const countSecrets: Rpc<'countSecrets'> =
  ({ db, keyring }) =>
  async () => ({ keys: keyUses(keyring, await countSecretsByKey(db)) });
