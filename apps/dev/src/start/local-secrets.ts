import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Values that must not change while the data is kept: encryption keys, and its names in MongoDB and Kafka. */
interface LocalSecrets {
  /** Prefix of every database and topic, so that two checkouts can share one MongoDB and one Kafka. */
  readonly namespace: string;
  /** The value of KEYRING. */
  readonly keyring: string;
  /** The value of the library's MEDIA_URL_SECRET. */
  readonly mediaUrlSecret: string;
}

/** Reads the development secrets, or creates them once. */
export function localSecrets(dataDir: string): LocalSecrets {
  const file = path.join(dataDir, 'secrets.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as LocalSecrets;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new Error(`${file} cannot be read. Start with --fresh.`, { cause: error });
  }
  const key = () => `dev:${randomBytes(32).toString('base64')}`;
  const secrets = { namespace: `fanfare_${randomBytes(3).toString('hex')}`, keyring: key(), mediaUrlSecret: key() };
  writeFileSync(file, JSON.stringify(secrets, null, 2), { mode: 0o600 });
  return secrets;
}
