// Handles the slot of a queue in a process of its own that is killed before or right after its transaction commits.
import { createLogger } from '@fanfare/runtime';
import { loadConfig } from '../../src/config.ts';
import { createContext } from '../../src/context.ts';
import { claimSlots } from '../../src/publishing/claim-slots.ts';

const { env, due, dies } = JSON.parse(process.argv[2] ?? '') as {
  env: Record<string, string>;
  due: { _id: string; next_slot_at: string };
  dies: 'before' | 'after';
};
const context = await createContext(loadConfig(env), createLogger('content', 'silent'));
const die = () => {
  process.kill(process.pid, 'SIGKILL');
  return new Promise<never>(() => undefined);
};
const mortal: typeof context = {
  ...context,
  async transact(work) {
    await context.transact(async (session) => {
      await work(session);
      // MongoDB ends the transaction of a client that has disconnected only after a minute; the test ends it by the session id.
      await new Promise((resolve) => process.send?.(session.id?.id.toString('hex'), resolve));
      if (dies === 'before') await die();
    });
    return die();
  },
};
await claimSlots(mortal, [{ _id: due._id, organization_id: '', business_id: '', next_slot_at: new Date(due.next_slot_at) }]);
