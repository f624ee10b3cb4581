import type { ClockedWork } from '@fanfare/test-clock';
import type { Db } from 'mongodb';
import { accountRows, findAccountIds } from './accounts/store/accounts.ts';
import { postRows } from './posts/store/posts.ts';

/** What is due by the test clock of an organization: snapshots of its posts and accounts. */
export function clockedWork(db: Db): readonly ClockedWork[] {
  // Posts are found by their accounts, for which there is an index.
  const postsOf = async (organizationId: string) => ({ integration_id: { $in: await findAccountIds(db, organizationId) } });
  return [
    {
      name: 'snapshots of posts',
      stops: false,
      left: async (organizationId) => postRows.workOf(db, organizationId, await postsOf(organizationId)),
      wake: async (organizationId) => postRows.wake(db, organizationId, await postsOf(organizationId)),
    },
    {
      name: 'snapshots of accounts',
      stops: false,
      left: (organizationId) => accountRows.workOf(db, organizationId),
      wake: (organizationId) => accountRows.wake(db, organizationId),
    },
  ];
}
