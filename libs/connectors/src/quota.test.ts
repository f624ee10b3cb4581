import { everyFlow } from '../test/flows.ts';
import { walkOnce } from '../test/walk.ts';
import { connectors } from './registry.ts';

// What the engine relies on when it holds a budget before a call.
const budgets = Object.values(connectors).flatMap((connector) => (connector.budgets ?? []).map((budget) => ({ connector, budget })));
const named = budgets.map(({ connector, budget }) => [`${connector.platform}/${budget.name}`, connector, budget] as const);

test.each(named)('%s has a window that exists, and a limit or none', (_name, { budgets = [] }, { name, limit, window, source }) => {
  expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
  expect(budgets.filter((one) => one.name === name)).toHaveLength(1);
  if ('dayIn' in window) expect(() => new Intl.DateTimeFormat('en', { timeZone: window.dayIn })).not.toThrow();
  else expect(window.rollingMs).toBeGreaterThan(0);
  if (limit !== undefined) expect(limit).toBeGreaterThan(0);
  expect(source).not.toBe('');
});

test.each(named)('%s is spent by a post before it is public', async (_name, connector, { name }) => {
  const flows = everyFlow.filter(({ platform }) => platform === connector.platform);
  const walks = await Promise.all(flows.map(({ flow }) => walkOnce(connector, flow)));
  const spending = walks.flatMap(({ taken }) => taken.flatMap(({ step }) => ('spends' in step ? step.spends?.budget : undefined) ?? []));
  expect(spending).toContain(name);
});

test('what spends names a budget of its platform', async () => {
  for (const { connector, flow } of everyFlow) {
    for (const { step } of (await walkOnce(connector, flow)).taken) {
      if (!('spends' in step) || !step.spends) continue;
      const { budget, amount } = step.spends;
      expect(connector.budgets?.map(({ name }) => name)).toContain(budget);
      expect(Number.isSafeInteger(amount) && amount > 0).toBe(true);
    }
  }
});
