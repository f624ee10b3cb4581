import type { ClockedWork } from '@fanfare/test-clock';
import type { Db } from 'mongodb';
import { endpointRows } from './endpoints/store/endpoints.ts';

/** What is due by the test clock of an organization: endpoints with due deliveries. */
export const clockedWork = (db: Db, sender: { wake(): void }): readonly ClockedWork[] => [
  {
    name: 'webhooks',
    async left(organizationId) {
      const { isOpen, nextAt: dueAt } = await endpointRows.workOf(db, organizationId);
      return { isOpen, dueAt };
    },
    async wake(organizationId, isAll) {
      if (isAll && (await endpointRows.wake(db, organizationId)) > 0) sender.wake();
    },
  },
];
