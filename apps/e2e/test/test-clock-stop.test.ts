// An advance over a long time, with a post each minute, would take hours: it is stopped, although its gateway dies, and the series is ended.
import { createFanfare } from '@fanfare/sdk';
import { eventually } from '@fanfare/testing';
import { anImage } from '../src/an-image.ts';
import { borrowPlatform, type Platform } from '../src/platform.ts';
import { untilServed } from '../src/publish.ts';

const MINUTE_MS = 60_000;
const LIMIT_MS = 600_000;
const CAPTION = 'Each minute';

let platform: Platform;
beforeAll(async () => {
  platform = await borrowPlatform(['facebook']);
}, LIMIT_MS);
afterAll(() => platform.stop());

test(
  'a year with a post in each minute is stopped, although the gateway dies, and continues until its series is ended',
  async () => {
    const { fanfare, tenant, foreign, sandbox } = platform;
    const business = tenant.business_id;
    const getClock = () => untilServed(() => fanfare.testClock.get());
    const ready = () => eventually(async () => ((await getClock()).status === 'ready' ? getClock() : undefined), LIMIT_MS);
    const first = await fanfare.posts.create(business, {
      ...{ caption: CAPTION, media_ids: [await anImage(platform)], status: 'SCHEDULED', repeating_cron: '* * * * *' },
      scheduled_publish_time: new Date(Date.now() + MINUTE_MS).toISOString(),
    });
    const inSeries = (status: 'PUBLISHED' | 'SCHEDULED') =>
      untilServed(() => fanfare.posts.list(business, { series_id: first.id, status: [status] }).toArray());
    /** When the published posts were due, in order. Each was published once, at its own time. */
    async function published(): Promise<number[]> {
      // The clock continues, and one post may be on its way.
      const posts = await eventually(async () => {
        const found = await inSeries('PUBLISHED');
        return (await sandbox.posts(CAPTION)).length === found.length && found;
      });
      expect(posts.map(({ publish_results: [result] }) => result?.status)).toEqual(posts.map(() => 'success'));
      return posts
        .map((post) => Date.parse(post.published_at ?? '') - (post.publish_results[0]?.lag_ms ?? Number.NaN))
        .sort((a, b) => a - b);
    }
    /** From the second one on they are due at each full minute. */
    const expectNoGap = (times: readonly number[]) =>
      expect(times.slice(1)).toEqual(times.slice(1).map((_, index) => (times[1] ?? 0) + index * MINUTE_MS));

    const { target: goal } = await fanfare.testClock.advance({ advance_by: 'P1Y' });
    await eventually(async () => (await sandbox.posts(CAPTION)).length > 5);
    const held = await sandbox.fault('facebook.create_photo', { type: 'hold_after' });
    await held.untilHolding();

    const others = createFanfare({ baseUrl: platform.baseUrl, apiKey: foreign.api_key });
    expect(await others.testClock.stop()).toMatchObject({ status: 'ready', ahead_by_ms: 0 });
    await expect(others.testClock.stop({ organization_id: tenant.organization_id })).rejects.toMatchObject({ status: 403 });
    expect(await getClock()).toMatchObject({ status: 'advancing', target: goal });

    const { target } = await fanfare.testClock.stop();
    expect(Date.parse(target ?? '')).toBeLessThan(Date.parse(goal ?? ''));
    await platform.kill('gateway');
    await held.remove();
    await platform.start('gateway');
    const stopped = await ready();
    expect(Date.parse(stopped.now)).toBeGreaterThanOrEqual(Date.parse(target ?? ''));
    expect(Date.parse(stopped.now)).toBeLessThan(Date.parse(goal ?? ''));
    const before = await published();
    expectNoGap(before);
    expect(before.at(-1)).toBeLessThanOrEqual(Date.parse((await getClock()).now));
    const [next, ...more] = await inSeries('SCHEDULED');
    expect(more).toEqual([]);
    expect(Date.parse(next?.scheduled_publish_time ?? '')).toBeGreaterThan(Date.parse(target ?? ''));

    // It can be advanced again. Ending the series by its first post then leaves one post for the rest of the year.
    await fanfare.testClock.advance({ advance_by: 'P1Y' });
    await eventually(async () => (await sandbox.posts(CAPTION)).length > before.length + 5);
    await fanfare.posts.update(business, first.id, { repeating_cron: null });
    const ended = await sandbox.posts(CAPTION);
    await ready();
    expect(await inSeries('SCHEDULED')).toEqual([]);
    const all = await published();
    expectNoGap(all);
    // One post may have been on its way, and one scheduled.
    expect(all.length - ended.length).toBeLessThanOrEqual(2);
    expect(Date.parse((await getClock()).now)).toBeGreaterThan(Date.parse(goal ?? ''));
  },
  LIMIT_MS,
);
