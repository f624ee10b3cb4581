import { existsSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from './workspace.ts';

// A fresh clone has no generated code yet, and the commands import it.
if (!existsSync(path.join(workspaceRoot, 'libs/contracts/src/gen'))) {
  const { generateContracts } = await import('./generate-contracts.ts');
  await generateContracts();
}

const { runAdmin } = await import('./admin/run-admin.ts');
process.exit(await runAdmin(process.argv.slice(2)));
