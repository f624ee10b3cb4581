import { existsSync } from 'node:fs';
import path from 'node:path';
import { generateContracts } from '@fanfare/infra';
import { workspaceRoot } from './workspace.ts';

// A fresh clone has no generated code yet, and everything below imports it.
if (!existsSync(path.join(workspaceRoot, 'libs/contracts/src/gen'))) await generateContracts();

const { runAdmin } = await import('./admin/run-admin.ts');
process.exit(await runAdmin(process.argv.slice(2)));
