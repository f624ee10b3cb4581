import { readFileSync, writeFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import type { AdminAddresses, Owner } from '@fanfare/stack';
import { dataDir } from './workspace.ts';

/** `.fanfare/dev.json`: what people and programs need to use the platform that runs here. Names as in the API. */
export interface DevFile {
  readonly base_url: string;
  /** Null as long as there is no console. */
  readonly console_url: string | null;
  readonly api_key: string;
  /** Signs in as the owner of the organization. */
  readonly user: Owner;
  readonly organization_id: string;
  readonly business_id: string;
  /** Platform → id of the connected account. */
  readonly integrations: Readonly<Record<string, string>>;
  /** Of a second organization, on the default plan. */
  readonly foreign: { readonly api_key: string; readonly business_id: string };
  readonly sandbox_url: string;
  /** Where `npm run admin` finds the services. */
  readonly admin: AdminAddresses;
  /** Which data the rest speaks of. */
  readonly namespace: string;
  /** Process ids, for measuring. */
  readonly processes: Readonly<Record<string, number>>;
}

const file = path.join(dataDir, 'dev.json');

export function readDevFile(): DevFile | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as DevFile;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Holds keys, so only the user may read it. */
export function writeDevFile(content: DevFile): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
