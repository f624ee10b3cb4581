import { runMigrations } from '@fanfare/mongo';
import { migrations } from './migrations.ts';

await runMigrations({ service: 'publisher', database: 'fanfare_publisher', migrations }, process.env);
