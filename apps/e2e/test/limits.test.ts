import { createTenant } from '@fanfare/stack';
import { eventually } from '@fanfare/testing';
import { createApi, type Api } from '../src/api.ts';
import { borrowPlatform, type Platform } from '../src/platform.ts';

let platform: Platform;
let second: Awaited<ReturnType<Platform['addGateway']>>;

beforeAll(async () => {
  platform = await borrowPlatform();
  second = await platform.addGateway();
});
afterAll(() => platform.stop());

/** Counting within a minute must not start at its end. */
const intoOneMinute = () => eventually(() => Date.now() % 60_000 < 30_000, 35_000);
const status = async (api: Api) => (await api('GET', '/api/businesses')).status;

test("a key's limit of a hundred requests a minute is exact, over two gateways of which one is killed", async () => {
  await intoOneMinute();
  const { api_key: key } = await createTenant(platform.operator, { name: 'Small', plan: 'default', businessName: 'Small Bakery' });
  const [first, other] = [createApi(platform.baseUrl, key), createApi(second.baseUrl, key)];
  const burst = (count: number, apis: Api[]) =>
    Promise.all(Array.from({ length: count }, (_, at) => status(apis[at % apis.length] as Api)));

  expect(await burst(60, [first, other])).toEqual(Array(60).fill(200));
  await platform.kill(second.name);
  const rest = await burst(200, [first]);
  expect(rest.filter((one) => one === 200)).toHaveLength(40);
  expect(rest.filter((one) => one === 429)).toHaveLength(160);

  const { headers, body } = await first('GET', '/api/businesses');
  expect(body).toMatchObject({ code: 'rate_limit_exceeded', window: 'minute' });
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
  expect([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual(['100', '0']);
});
