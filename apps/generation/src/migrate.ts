import { runMigrations } from '@fanfare/mongo';
import { migrations } from './migrations.ts';

await runMigrations({ service: 'generation', database: 'fanfare_generation', migrations }, process.env);
