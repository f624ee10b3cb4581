import { runMigrations } from '@fanfare/mongo';
import { migrations } from './migrations.ts';

await runMigrations({ service: 'analytics', database: 'fanfare_analytics', migrations }, process.env);
