import { currentTime, type Logger, startLoop } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import { LRUCache } from 'lru-cache';
import { recordApiKeyUse } from '../store/api-keys.ts';

/** Records when keys were last used, in the background. */
export interface KeyUsage {
  note(keyId: string): void;
  /** Writes what is not written yet. */
  stop(): Promise<void>;
}

const LOOK_MS = 1_000;
/** The interval at which a process writes the use of a key. */
const WRITE_MS = 60_000;

export function createKeyUsage({ db, log }: { db: Db; log: Logger }): KeyUsage {
  const lastUses = new Map<string, Date>();
  const written = new LRUCache<string, true>({ max: 10_000, ttl: WRITE_MS });
  const loop = startLoop({
    name: 'record-key-use',
    log,
    async run() {
      await write((keyId) => !written.has(keyId));
      return LOOK_MS;
    },
  });
  return {
    note: (keyId) => void lastUses.set(keyId, currentTime()),
    async stop() {
      await loop.stop();
      await write(() => true).catch((error: unknown) => log.warn({ err: error }, 'the last use of some keys could not be stored'));
    },
  };

  async function write(isDue: (keyId: string) => boolean): Promise<void> {
    const due = new Map([...lastUses].filter(([keyId]) => isDue(keyId)));
    await recordApiKeyUse(db, due);
    for (const [keyId, at] of due) {
      written.set(keyId, true);
      if (lastUses.get(keyId) === at) lastUses.delete(keyId);
    }
  }
}
