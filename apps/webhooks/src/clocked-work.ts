import type { ClockedWork } from '@fanfare/test-clock';
import type { Db } from 'mongodb';
import { endpointRows } from './endpoints/store/endpoints.ts';

/** What is due by the test clock of an organization: endpoints with due deliveries. */
export const clockedWork = (db: Db): readonly ClockedWork[] => [
  {
    name: 'webhooks',
    stops: false,
    left: (organizationId) => endpointRows.workOf(db, organizationId),
    wake: (organizationId) => endpointRows.wake(db, organizationId),
  },
];
