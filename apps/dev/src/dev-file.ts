import { readFileSync, writeFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import type { AdminAddresses } from '@fanfare/stack';
import { dataDir } from './workspace.ts';

/** `.fanfare/dev.json`: what people and programs need to use the Fanfare that runs here. Names are those of the API. */
export interface DevFile {
  readonly base_url: string;
  /** Null while there is no console. */
  readonly console_url: string | null;
  readonly docs_url: string;
  readonly openapi_url: string;
  /** The inbox with all mail. */
  readonly mail_url: string;
  /** The timeline of the sandbox's platforms. */
  readonly sandbox_url: string;
  readonly api_key: string;
  /** The credentials of the organization's owner. */
  readonly user: DemoUser;
  readonly organization_id: string;
  readonly business_id: string;
  /** Every connected account of the business. */
  readonly accounts: readonly Account[];
  /** Platform → id of the first of its accounts. */
  readonly integrations: Readonly<Record<string, string>>;
  /** A second organization, on the default plan. */
  readonly foreign: { readonly organization_id?: string; readonly api_key: string; readonly business_id: string };
  /** The addresses that `npm run admin` uses. */
  readonly admin: AdminAddresses;
  /** Service → address of /livez, /readyz and /metrics. */
  readonly health: Readonly<Record<string, string>>;
  readonly mongodb_url: string;
  readonly kafka_brokers: readonly string[];
  /** Identifies the data that everything else here belongs to. */
  readonly namespace: string;
  /** Process ids, for measuring. */
  readonly processes: Readonly<Record<string, number>>;
}

export interface DemoUser {
  readonly email: string;
  /** Null if the user has changed it. */
  readonly password: string | null;
}

export interface Account {
  /** As in the path of `/integrations/{integration_id}`. */
  readonly id: string;
  readonly platform: string;
  readonly name: string;
  /** Empty if the platform has none. */
  readonly username: string;
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

/** It contains keys, so only the user may read it. */
export function writeDevFile(content: DevFile): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
