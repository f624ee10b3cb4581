import type { WorkOfClock } from '@fanfare/leased-work';
import type { ClockedWork, WorkLeft } from '@fanfare/test-clock';
import type { Db } from 'mongodb';
import { accountRows, findAccountIds } from './accounts/store/accounts.ts';
import { postRows } from './posts/store/posts.ts';

/** Those that do the work in this process. */
interface Workers {
  readonly postSnapshots: { wake(): void };
  readonly accountSnapshots: { wake(): void };
}

/** What is due by the test clock of an organization: snapshots of its posts and accounts. */
export function clockedWork(db: Db, { postSnapshots, accountSnapshots }: Workers): readonly ClockedWork[] {
  // Posts are found by their accounts, for which there is an index.
  const postsOf = async (organizationId: string) => ({ integration_id: { $in: await findAccountIds(db, organizationId) } });
  return [
    {
      name: 'snapshots of posts',
      left: async (organizationId) => leftOf(await postRows.workOf(db, organizationId, await postsOf(organizationId))),
      async wake(organizationId, isAll) {
        if (isAll && (await postRows.wake(db, organizationId, await postsOf(organizationId))) > 0) postSnapshots.wake();
      },
    },
    {
      name: 'snapshots of accounts',
      left: async (organizationId) => leftOf(await accountRows.workOf(db, organizationId)),
      async wake(organizationId, isAll) {
        if (isAll && (await accountRows.wake(db, organizationId)) > 0) accountSnapshots.wake();
      },
    },
  ];
}

const leftOf = ({ isOpen, nextAt: dueAt }: WorkOfClock): WorkLeft => ({ isOpen, dueAt });
