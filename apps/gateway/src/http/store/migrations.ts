import type { Migration } from '@fanfare/mongo';
import { createIdempotencyIndexes } from './idempotency-records.ts';
import { countKeysByOrganization, createRateWindowIndexes } from './rate-windows.ts';

export const httpMigrations: readonly Migration[] = [
  { id: '0010-rate-window-indexes', up: createRateWindowIndexes },
  { id: '0012-idempotency-indexes', up: createIdempotencyIndexes },
  { id: '0026-windows-of-organizations', up: countKeysByOrganization },
];
