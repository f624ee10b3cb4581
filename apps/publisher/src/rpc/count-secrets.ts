import { countSecretsByKey } from '../accounts/store/secrets.ts';
import type { Rpc } from './rpc.ts';

export const countSecrets: Rpc<'countSecrets'> =
  ({ db, keyring }) =>
  async () => {
    const counts = await countSecretsByKey(db);
    const unknown = [...counts.keys()].filter((id) => !keyring.keyIds.includes(id)).sort();
    const use = (known: boolean) => (keyId: string) => ({ keyId, known, secrets: counts.get(keyId) ?? 0 });
    return { keys: [...keyring.keyIds.map(use(true)), ...unknown.map(use(false))] };
  };
