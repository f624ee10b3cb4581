import { loginNamesOf, type Platform as Name } from '@fanfare/connectors';
import { eventually, startTcpProxy, type TcpProxy } from '@fanfare/testing';
import { MongoClient, type Db } from 'mongodb';
import { borrowPlatform, type Platform } from '../../src/platform.ts';

/** A platform whose publisher a test can stop at any point, with accounts of all logins. */
export interface Stage {
  readonly platform: Platform;
  /** Between the publisher and its database. */
  readonly mongo: TcpProxy;
  /** The publisher's database. */
  readonly db: Db;
  /** Starts the publisher, or starts it again, so that calls to platforms can be held for as long as a test wants, or time out soon. */
  startPublisher(how: keyof typeof SETTINGS): Promise<void>;
  /** As if the leases and deadlines of the killed publisher had passed. */
  letDeadlinesPass(): Promise<void>;
  /** Waits until the publisher has read every response that the platforms have sent, and calls them no more. */
  untilSilent(): Promise<void>;
  stop(): Promise<void>;
}

/** However many calls are held, others continue. */
const LIMITS = { MAX_IN_FLIGHT: '2000', MAX_IN_FLIGHT_PER_ORGANIZATION: '2000', MAX_IN_FLIGHT_PER_ACCOUNT: '2000' };
const SETTINGS = {
  holding: { ...LIMITS, DEADLINE_SCALE: '100', PLATFORM_TIMEOUT_MS: '3600000' },
  'timing out': { ...LIMITS, DEADLINE_SCALE: '0.2', PLATFORM_TIMEOUT_MS: '4000' },
};

export async function startStage(names: readonly string[]): Promise<Stage> {
  const platform = await borrowPlatform(names);
  // It calls platforms too, whenever it likes.
  await platform.kill('analytics');
  const { MONGODB_URL: url = '', MONGODB_DATABASE: database, ADMIN_ADDRESS: admin } = platform.settingsOf('publisher');
  const mongo = await startTcpProxy(Number(/:(\d+)/.exec(url.replace(/^.*@/, ''))?.[1]));
  const client = await new MongoClient(url).connect();
  const db = client.db(database);
  const deliveries = db.collection('deliveries');
  for (const name of names) for (const login of loginNamesOf(name as Name).slice(1)) await connectBy(platform, name, login);

  return {
    platform,
    mongo,
    db,
    async startPublisher(how) {
      await platform.kill('publisher');
      const proxied = { MONGODB_URL: `mongodb://127.0.0.1:${mongo.port}/?directConnection=true` };
      await platform.start('publisher', { ...SETTINGS[how], ...proxied });
    },
    async letDeadlinesPass() {
      const now = new Date();
      await deliveries.updateMany(
        { open: true, commit: { $exists: true } },
        { $set: { 'commit.deadline_at': now, 'commit.settled_at': now } },
      );
      await deliveries.updateMany({ open: true, run_at: { $exists: true } }, { $set: { run_at: now } });
      await db.collection('removals').updateMany({ open: true }, { $set: { run_at: now } });
    },
    async untilSilent() {
      let last = -1;
      await eventually(async () => {
        // Who responds has read what arrived two rounds of its event loop before.
        for (let round = 0; round < 2; round++) await (await fetch(`http://${admin}/livez`)).text();
        const requests = await platform.sandbox.requests();
        const [before, held] = [last, (await platform.sandbox.faults()).filter(({ holding }) => holding)];
        last = requests.at(-1)?.seq ?? 0;
        return last === before && requests.filter(({ duration_ms }) => duration_ms === null).length === held.length;
      });
    },
    async stop() {
      // As it was borrowed.
      await platform.kill('publisher');
      await platform.start('publisher');
      await platform.stop();
      await client.close();
      await mongo.close();
    },
  };
}

/** Connects another account of the person who is signed in there, by another login than the platform's usual one. */
async function connectBy({ operator, tenant, sandbox, baseUrl }: Platform, name: string, login: string): Promise<void> {
  const account = await sandbox.createAccount(name, `signed.in.by.${login}`);
  const options = operator.as({ organizationId: tenant.organization_id, businessId: tenant.business_id });
  const redirectUri = `${baseUrl}/oauth/callback`;
  const request = { platform: name, redirectUri, login, connectionId: undefined, integrationId: undefined, returnUrl: undefined };
  const { authorizeUrl } = await operator.publisher.beginConnection(request, options);
  const headers = { 'X-Sandbox-Consent': 'allow', 'X-Sandbox-Account': account };
  const response = await fetch(authorizeUrl, { headers, redirect: 'manual' });
  const sentBack = new URL(response.headers.get('location') ?? '').searchParams;
  await operator.publisher.completeConnection({ code: sentBack.get('code') ?? '', state: sentBack.get('state') ?? '' }, options);
}
