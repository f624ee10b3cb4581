import { runMigrations } from '@fanfare/mongo';
import { migrations } from './migrations.ts';

await runMigrations({ service: 'library', database: 'fanfare_library', migrations }, process.env);
