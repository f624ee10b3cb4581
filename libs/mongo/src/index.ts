export { connectMongo, type Mongo } from './connect.ts';
export { migrate, type Migration } from './migrate.ts';
export { after, pageOf, pageToken, parsePageToken, type Position } from './page.ts';
export { isDuplicateKey, transaction } from './transaction.ts';
