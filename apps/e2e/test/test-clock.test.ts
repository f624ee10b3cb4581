// Simulated months through the whole system: every post is published to the sandbox, at the time of its organization. `TEST_CLOCK=year` simulates a whole
// year of two queues and a series in each zone, instead of the weeks around each change of clocks.
import { connectAccounts, createTenant, developmentPlan } from '@fanfare/stack';
import { createFanfare, type Fanfare } from '@fanfare/sdk';
import { eventually } from '@fanfare/testing';
import { borrowPlatform, type Platform } from '../src/platform.ts';
import { weeklyTimes, ZONES, type Weekly, type Zone } from '../src/zone-rules.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const isWholeYear = process.env['TEST_CLOCK'] === 'year';
/** A step of a clock takes as long as publishing a post on this machine. */
const LIMIT_MS = isWholeYear ? 3 * HOUR_MS : 600_000;
/** In the hour that clocks skip, and in the one that they show twice. In Lord Howe only half an hour is. */
const AT_NIGHT = { weekday: 0, hour: 2, minute: 15 };
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

let platform: Platform;
beforeAll(async () => {
  platform = await borrowPlatform(['facebook']);
}, LIMIT_MS);
afterAll(() => platform.stop());

interface Published {
  readonly caption: string;
  /** The time for which it was published. */
  readonly due: string;
}

/** A simulation in one business. */
function simulate(fanfare: Fanfare, businessId: string) {
  const now = async () => Date.parse((await fanfare.testClock.get()).now);
  return {
    now,
    ready: () => eventually(async () => (await fanfare.testClock.get()).status === 'ready', LIMIT_MS),
    async advanceTo(time: number): Promise<void> {
      if (time <= (await now())) return;
      await fanfare.testClock.advance({ advance_to: new Date(time).toISOString() });
      await this.ready();
    },
    queue: ({ zone, weekday, hour, minute }: Weekly) =>
      fanfare.queues.create(businessId, {
        name: `${zone.name} ${DAYS[weekday]}`,
        timezone: zone.name,
        slots: [{ days: [DAYS[weekday] ?? 'sun'], time: `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}` }],
      }),
    async fill(queue: { readonly id: string; readonly name: string }, count: number, from = 0): Promise<void> {
      for (let index = from; index < from + count; index++)
        await fanfare.posts.create(businessId, { caption: `${queue.name} ${index}`, queue_id: queue.id });
    },
    series: (zone: Zone, caption: string, first: number, cron: string) =>
      fanfare.posts.create(businessId, {
        ...{ caption, status: 'SCHEDULED', scheduled_publish_time: new Date(first).toISOString() },
        ...{ repeating_cron: cron, repeating_timezone: zone.name },
      }),
    /** Everything that was published, in the order of its times. Each post was published once, on time, and as one post of the platform. */
    async published(): Promise<Published[]> {
      const found: (Published & { readonly at: string })[] = [];
      for await (const { caption, publish_results: results, published_at: at } of fanfare.posts.list(businessId, {
        status: ['PUBLISHED'],
      })) {
        expect(results).toHaveLength(1);
        const lagMs = results[0]?.lag_ms ?? Number.NaN;
        // By the organization's clock, which waits for each post: more would be a misfire.
        expect(lagMs).toBeLessThan(60_000);
        found.push({ caption: caption ?? '', at: at ?? '', due: new Date(Date.parse(at ?? '') - lagMs).toISOString() });
      }
      return found.toSorted((a, b) => (a.at < b.at ? -1 : 1)).map(({ caption, due }) => ({ caption, due }));
    },
  };
}

const expected = (caption: (index: number) => string, times: readonly number[]): Published[] =>
  times.map((time, index) => ({ caption: caption(index), due: new Date(time).toISOString() }));
const inOrder = (all: readonly Published[]) =>
  all.toSorted((a, b) => (a.due < b.due ? -1 : a.due > b.due ? 1 : a.caption < b.caption ? -1 : 1));

if (!isWholeYear)
  test(
    'posts are published at the times of their zones through every change of clocks in a year, also if the gateway is killed, and nobody else notices',
    async () => {
      const { fanfare, tenant, foreign } = platform;
      const others = createFanfare({ baseUrl: platform.baseUrl, apiKey: foreign.api_key });
      const tomorrow = new Date(Date.now() + DAY_MS).toISOString();
      const theirs = await others.posts.create(foreign.business_id, {
        caption: 'Tomorrow',
        status: 'SCHEDULED',
        scheduled_publish_time: tomorrow,
      });
      const clock = simulate(fanfare, tenant.business_id);
      const start = await clock.now();
      const queues = new Map<string, Awaited<ReturnType<typeof clock.queue>>>();
      for (const zone of ZONES) queues.set(zone.name, await clock.queue({ zone, ...AT_NIGHT }));

      // Three days before each change, the queue of the zone gets two posts: for the day of the change, and a week later.
      const changes = ZONES.flatMap((zone) => changesOf(zone, start).map((at) => ({ zone, fillAt: at - 3 * DAY_MS }))).sort(
        (a, b) => a.fillAt - b.fillAt,
      );
      const all: Published[] = [];
      const counts = new Map<string, number>();
      let series: { readonly id: string; readonly endsAt: number } | undefined;
      for (const { zone, fillAt } of changes) {
        if (series && series.endsAt < fillAt) series = await end(series);
        await clock.advanceTo(fillAt);
        const filledAt = await clock.now();
        const queue = queues.get(zone.name)!;
        const from = counts.get(zone.name) ?? 0;
        await clock.fill(queue, 2, from);
        counts.set(zone.name, from + 2);
        const slots = weeklyTimes({ zone, ...AT_NIGHT }, 'slot', filledAt, filledAt + 14 * DAY_MS).slice(0, 2);
        all.push(...expected((index) => `${queue.name} ${from + index}`, slots));
        if (zone.name === 'Europe/Berlin') {
          const first = Math.floor(filledAt / HOUR_MS) * HOUR_MS + 2 * HOUR_MS;
          const caption = `Series ${from}`;
          const { id } = await clock.series(zone, caption, first, '30 2 * * 0');
          series = { id, endsAt: filledAt + 12 * DAY_MS };
          // A platform rejects the same text twice in a row.
          const [between, betweenAt] = [`Between ${from}`, first + HOUR_MS];
          await fanfare.posts.create(tenant.business_id, {
            caption: between,
            status: 'SCHEDULED',
            scheduled_publish_time: new Date(betweenAt).toISOString(),
          });
          all.push(...expected(() => between, [betweenAt]));
          const weekly = weeklyTimes({ zone, weekday: 0, hour: 2, minute: 30 }, 'series', first, series.endsAt);
          all.push(...expected(() => caption, [first, ...weekly]));
        }
      }
      if (series) await end(series);
      await killWhileAdvancing(Math.max(...all.map(({ due }) => Date.parse(due))) + HOUR_MS);

      expect(inOrder(await clock.published())).toEqual(inOrder(all));
      expect(await clock.published()).toHaveLength(all.length);
      expect(await platform.sandbox.posts()).toHaveLength(all.length);
      expect(await others.testClock.get()).toMatchObject({ status: 'ready', ahead_by_ms: 0 });
      expect((await others.posts.get(foreign.business_id, theirs.id)).status).toBe('SCHEDULED');

      /** Ends the series after its posts in the weeks around the change. */
      async function end({ id, endsAt }: { readonly id: string; readonly endsAt: number }): Promise<undefined> {
        await clock.advanceTo(endsAt);
        for await (const next of fanfare.posts.list(tenant.business_id, { series_id: id, status: ['SCHEDULED'] }))
          await fanfare.posts.delete(tenant.business_id, next.id);
      }

      /** The gateway advances the clock. When it is killed, it continues as soon as it runs again. */
      async function killWhileAdvancing(target: number): Promise<void> {
        const before = await clock.now();
        await fanfare.testClock.advance({ advance_to: new Date(target).toISOString() });
        await eventually(async () => (await clock.now()) > before + DAY_MS);
        await platform.kill('gateway');
        await platform.start('gateway');
        await clock.ready();
        expect(await clock.now()).toBeGreaterThanOrEqual(target);
      }
    },
    LIMIT_MS,
  );

/** The changes of clocks in the year to come, or those that there were before the rules were changed. */
function changesOf(zone: Zone, start: number): number[] {
  const year = new Date(start).getUTCFullYear();
  const all = [year, year + 1, year + 2].flatMap((one) => zone.formerChanges?.(one) ?? zone.changes(one).map(({ at }) => at));
  return all.filter((at) => at - 3 * DAY_MS > start + HOUR_MS).slice(0, 2);
}

if (isWholeYear)
  test.each(ZONES.map((zone) => [zone.name, zone] as const))(
    'a year of two queues and a series in %s is published exactly at its times',
    async (_name, zone) => {
      const { operator, baseUrl } = platform;
      const tenant = await createTenant(operator, { name: zone.name, plan: developmentPlan.id, businessName: zone.name });
      const scope = { organizationId: tenant.organization_id, businessId: tenant.business_id };
      await connectAccounts(operator, { platforms: ['facebook'], ...scope, redirectUri: `${baseUrl}/oauth/callback` });
      const clock = simulate(createFanfare({ baseUrl, apiKey: tenant.api_key }), tenant.business_id);
      const slots: readonly Weekly[] = [
        { zone, ...AT_NIGHT },
        { zone, weekday: 3, hour: 9, minute: 0 },
      ];
      const queues = [await clock.queue(slots[0]!), await clock.queue(slots[1]!)];
      for (const queue of queues) await clock.fill(queue, 54);
      const start = await clock.now();
      const first = Math.floor(start / HOUR_MS) * HOUR_MS + 2 * HOUR_MS;
      // A platform rejects the same text twice in a row, so the series has its posts between those of the queues.
      await clock.series(zone, 'Series', first, '30 2 * * 1');
      const end = start + 365 * DAY_MS;
      const begun = performance.now();
      await clock.advanceTo(end);
      const seconds = (performance.now() - begun) / 1_000;
      process.stdout.write(`    a simulated year in ${zone.name}: ${seconds.toFixed(1)} s\n`);

      const all = [
        ...slots.flatMap((slot, index) => expected((post) => `${queues[index]!.name} ${post}`, weeklyTimes(slot, 'slot', start, end))),
        ...expected(() => 'Series', [first, ...weeklyTimes({ zone, weekday: 1, hour: 2, minute: 30 }, 'series', first, end)]),
      ];
      expect(inOrder(await clock.published())).toEqual(inOrder(all));
    },
    LIMIT_MS,
  );
