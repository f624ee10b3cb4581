import { runMigrations } from '@fanfare/mongo';
import { migrations } from './migrations.ts';

await runMigrations({ service: 'gateway', database: 'fanfare_gateway', migrations }, process.env);
