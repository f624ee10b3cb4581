import pino, { type Logger } from 'pino';
import type { Config } from './config.ts';
import { createFaultTable, type FaultTable } from './faults/fault-table.ts';
import { createJournal, type Journal } from './journal/journal.ts';
import { acceptPlainHttpFrom } from './media/pull.ts';
import { createSpool } from './media/spool.ts';
import { createMailbox, type Mailbox } from './mail/mailbox.ts';
import type { Sandbox } from './platforms/platform.ts';
import { platforms } from './platforms/registry.ts';
import { keepSnapshot } from './world/snapshot.ts';
import { createReceivers, type Receivers } from './webhooks/receiver.ts';
import { createWorld } from './world/world.ts';

export interface Context extends Sandbox {
  faults: FaultTable;
  journal: Journal;
  mailbox: Mailbox;
  webhooks: Receivers;
  log: Logger;
  /** Restores the initial state: the demo accounts, and nothing else. */
  reset(): void;
  flush(): void;
}

/** @param now milliseconds since 1970; tests shift it */
export function createContext(config: Config, now: () => number = Date.now, spool = createSpool()): Context {
  acceptPlainHttpFrom(config.mediaOrigins);
  const log = pino({ name: 'sandbox', level: config.logLevel });
  const world = createWorld(now, config.idsAfter);
  const snapshot = config.dataFile === null ? null : keepSnapshot(world, config.dataFile);
  const faults = createFaultTable();
  const journal = createJournal(now);
  const mailbox = createMailbox(now);
  const webhooks = createReceivers(now);
  const context: Context = {
    config,
    world,
    faults,
    journal,
    mailbox,
    webhooks,
    spool,
    log,
    reset() {
      faults.clear();
      journal.clear();
      mailbox.clear();
      webhooks.clear();
      spool.clear();
      world.clear();
      addDemoAccounts(context);
    },
    flush: () => snapshot?.flush(),
  };
  addDemoAccounts(context);
  return context;
}

/** A stored world that is older than a platform gets that platform's account. */
function addDemoAccounts(context: Context): void {
  for (const platform of Object.values(platforms)) {
    const has = [...context.world.accounts.values()].some((account) => account.platform === platform.name);
    if (!has) platform.createAccount(context, platform.demo);
  }
}
