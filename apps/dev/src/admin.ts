import { existsSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from './workspace.ts';

// A fresh clone has no generated code yet, and the commands import it.
if (!existsSync(path.join(workspaceRoot, 'libs/contracts/src/gen'))) await (await import('@fanfare/infra')).generateContracts();

const { runAdmin } = await import('./admin/run-admin.ts');
process.exit(await runAdmin(process.argv.slice(2)));
