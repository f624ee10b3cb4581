import { spawn } from 'node:child_process';
import path from 'node:path';
import type { Platform } from './platform.ts';

const root = path.resolve(import.meta.dirname, '../../..');

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs an operator's command (`npm run admin`) for a platform. */
export function runAdmin(platform: Platform, ...args: string[]): Promise<Ran> {
  const addressOf = (service: 'gateway' | 'content' | 'publisher' | 'webhooks', name: string) => platform.settingsOf(service)[name] ?? '';
  const env = {
    ...process.env,
    GATEWAY_ADMIN_ADDRESS: addressOf('gateway', 'ADMIN_GRPC_ADDRESS'),
    CONTENT_ADDRESS: addressOf('content', 'GRPC_ADDRESS'),
    PUBLISHER_ADDRESS: addressOf('publisher', 'GRPC_ADDRESS'),
    WEBHOOKS_ADDRESS: addressOf('webhooks', 'GRPC_ADDRESS'),
  };
  const child = spawn(process.execPath, ['apps/dev/bootstrap.mjs', 'admin', ...args], { cwd: root, env });
  const texts = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (texts.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (texts.err += chunk.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...texts })));
}
