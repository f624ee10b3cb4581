import { runMigrations } from '@fanfare/mongo';
import { migrations } from './migrations.ts';

await runMigrations({ service: 'webhooks', database: 'fanfare_webhooks', migrations }, process.env);
