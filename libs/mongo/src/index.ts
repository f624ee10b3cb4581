export { connectMongo, type Mongo } from './connect.ts';
export { editOnce, stages, type Edit, type Editable } from './edit-once.ts';
export { literals } from './literals.ts';
export { migrate, type Migration } from './migrate.ts';
export { after, jsonBytes, pageOf, pageToken, pageWithin, parsePageToken, shortened, type Page, type Position } from './page.ts';
export { readerById } from './reader-by-id.ts';
export { DowngradeError, RELEASES } from './releases.ts';
export { runMigrations } from './run-migrations.ts';
export { isDuplicateKey, transaction } from './transaction.ts';
