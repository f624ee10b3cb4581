import { everyFlow } from '../test/conversations/flows.ts';
import { walkOnce } from '../test/conversations/walk.ts';
import type { Connector } from './connector.ts';
import { APP_READS, READS } from './reading/reads-quota.ts';
import { connectors } from './registry.ts';

// What the engine relies on when it reserves a quota before a call.
const quotas = Object.values(connectors).flatMap((connector) => (connector.quotas ?? []).map((quota) => ({ connector, quota })));
const named = quotas.map(({ connector, quota }) => [`${connector.platform}/${quota.name}`, connector, quota] as const);

test.each(Object.values<Connector>(connectors).filter(({ reading }) => reading))(
  'reading $platform has a quota of its own',
  ({ quotas = [] }) => {
    expect(quotas.map(({ name }) => name)).toContain(READS);
  },
);

test.each(named)('%s has a window that exists, and a limit or none', (_name, { quotas = [] }, { name, limit, window, source }) => {
  expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
  expect(quotas.filter((one) => one.name === name)).toHaveLength(1);
  if ('dayIn' in window) expect(() => new Intl.DateTimeFormat('en', { timeZone: window.dayIn })).not.toThrow();
  if ('rollingMs' in window) expect(window.rollingMs).toBeGreaterThan(0);
  if (limit !== undefined) expect(limit).toBeGreaterThan(0);
  expect(source).not.toBe('');
});

test.each(named.filter(([, , { name }]) => name !== READS && name !== APP_READS))(
  '%s is spent by a post before it is public',
  async (_name, connector, { name }) => {
    const flows = everyFlow.filter(({ platform }) => platform === connector.platform);
    const walks = await Promise.all(flows.map(({ flow }) => walkOnce(connector, flow)));
    const spending = walks.flatMap(({ taken }) => taken.flatMap(({ step }) => ('spends' in step ? step.spends?.quota : undefined) ?? []));
    expect(spending).toContain(name);
  },
);

test('every cost names a quota of its platform', async () => {
  for (const { connector, flow } of everyFlow) {
    for (const { step } of (await walkOnce(connector, flow)).taken) {
      if (!('spends' in step) || !step.spends) continue;
      const { quota, amount } = step.spends;
      expect(connector.quotas?.map(({ name }) => name)).toContain(quota);
      expect(Number.isSafeInteger(amount) && amount > 0).toBe(true);
    }
  }
});
