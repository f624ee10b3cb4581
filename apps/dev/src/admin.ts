import { existsSync } from 'node:fs';
import path from 'node:path';
import { generateContracts } from '@fanfare/infra';
import { workspaceRoot } from './workspace.ts';

// A fresh clone has no generated code yet, and everything below imports it.
if (!existsSync(path.join(workspaceRoot, 'libs/contracts/src/gen'))) await generateContracts();

const { adminCommand } = await import('./admin-command.ts');
try {
  await adminCommand().parseAsync();
  process.exit(0);
} catch (error) {
  const { message, code, param } = error as Error & { code?: string; param?: string };
  console.error(JSON.stringify({ error: { code, detail: message, param } }));
  process.exit(1);
}
