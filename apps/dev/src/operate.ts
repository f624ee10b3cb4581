import { runAdmin } from './admin/run-admin.ts';

// The operators' commands in an image of their own, which has no source to generate code from.
process.exit(await runAdmin(process.argv.slice(2)));
