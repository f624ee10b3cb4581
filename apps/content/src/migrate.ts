import { runMigrations } from '@fanfare/mongo';
import { migrations } from './migrations.ts';

await runMigrations({ service: 'content', database: 'fanfare_content', migrations }, process.env);
