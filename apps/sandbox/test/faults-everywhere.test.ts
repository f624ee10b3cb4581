import type { Operation } from '../src/platforms/platform.ts';
import { simulated } from '../src/simulated.ts';
import { runningSandbox, until, type SandboxResponse, type RunningSandbox } from './running-sandbox.ts';

// Every fault works for every platform and provider, and every call can be made to fail. All are called without a token, because the test is not about the
// calls themselves.
let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await runningSandbox();
});
afterAll(() => sandbox.stop());

type Outcome = SandboxResponse | 'no response';
const anyResponse = (response: Outcome) => expect(response).toMatchObject({ status: expect.any(Number) });
const noResponse = (response: Outcome) => expect(response).toBe('no response');

const faults: readonly [{ readonly type: string; readonly [field: string]: unknown }, (response: Outcome) => void][] = [
  [
    { type: 'status', status: 503, body: { over: 'capacity' } },
    (response) => expect(response).toMatchObject({ status: 503, body: { over: 'capacity' } }),
  ],
  [{ type: 'status', status: 500, apply: 'after' }, (response) => expect(response).toMatchObject({ status: 500 })],
  [{ type: 'html', status: 502 }, (response) => expect(response).toMatchObject({ status: 502, text: expect.stringContaining('<html>') })],
  [{ type: 'revoked_token' }, (response) => expect(response).toMatchObject({ status: expect.any(Number) })],
  [{ type: 'delay', ms: 1 }, anyResponse],
  [{ type: 'drop' }, noResponse],
  [{ type: 'accept_then_drop' }, noResponse],
  [{ type: 'accept_then_timeout', ms: 1 }, noResponse],
  [{ type: 'hold' }, anyResponse],
  [{ type: 'hold_after' }, anyResponse],
  // A response without a body cannot be truncated.
  [{ type: 'truncate' }, () => undefined],
];

/** Instagram shares its host with Facebook: its calls are recognized by the ids in them, which have to exist. */
const standsAlone = ({ name, when }: Operation) => !(name.startsWith('instagram.') && when) && name !== 'instagram.get_object';

const every = Object.values(simulated).flatMap(({ name, operations }) =>
  operations.filter(standsAlone).map((operation) => [operation.name, name, operation] as const),
);

/** One call of each platform meets every fault. The others differ only in how they are recognized, which one fault before and one after a call shows. */
const faultsFor = (operation: Operation, platform: string) =>
  operation === every.find(([, of]) => of === platform)?.[2]
    ? faults
    : faults.filter(([{ type, apply }]) => (type === 'status' && apply === undefined) || type === 'accept_then_drop');

test.each(every)('%s', async (name, platform, operation) => {
  const processing = operation.processes
    ? ([
        [{ type: 'slow_processing', ms: 1 }, anyResponse],
        [{ type: 'processing_error' }, anyResponse],
      ] as const)
    : [];
  for (const [fault, check] of [...faultsFor(operation, platform), ...processing]) {
    const { body, status } = await sandbox.control('/faults', { platform, call: name, fault });
    expect({ fault, status }).toEqual({ fault, status: 201 });
    const sent = sandbox.call(...requestOf(operation, platform)).catch((): Outcome => 'no response');
    if (fault.type.startsWith('hold')) {
      await until(
        () => sandbox.control(`/faults/${body.id}`),
        (state) => state.body.holding,
      );
      await sandbox.control(`/faults/${body.id}/release`, {});
    }
    check(await sent);
    expect({ fault, ...(await sandbox.control(`/faults/${body.id}`)).body }).toMatchObject({ fault, fired: 1 });
    await sandbox.control('/faults', undefined, 'DELETE');
  }
});

/** Every part of the path filled in, and the parameters that distinguish this operation from others of the same path. */
function requestOf(operation: Operation, platform: string): Parameters<RunningSandbox['call']> {
  const { name, method, hosts } = operation;
  const url = `https://${hosts[0]}${pathOf(operation)}`;
  const client_id = `sandbox-${platform}`;
  if (name.endsWith('.refresh_token') && method === 'POST') return [url, { method, form: { grant_type: 'refresh_token', client_id } }];
  if (name === 'facebook.exchange_long_lived_token') return [`${url}?grant_type=fb_exchange_token`, { method }];
  if (name === 'linkedin.finalize_video') return [`${url}?action=finalizeUpload`, { method, json: {} }];
  if (name === 'facebook.start_reel') return [url, { method, json: { upload_phase: 'start' } }];
  if (name === 'youtube.probe_upload') return [url, { method, headers: { 'content-range': 'bytes */9' } }];
  if (name === 'youtube.upload_last_part') return [url, { method, headers: { 'content-range': 'bytes 0-8/9' }, body: 'x'.repeat(9) }];
  if (operation.hosts[0] === 'accounts.google.com') return [`${url}?client_id=${client_id}`, { method }];
  return [url, method === 'POST' && operation.when ? { method, form: { client_id } } : { method }];
}

function pathOf({ name, path, when }: Operation): string {
  const filled = path.replace('/{v}', '/v25.0').replaceAll(/\{\w+\}/g, '1');
  return when && name.startsWith('tiktok.') ? `${filled}/` : filled;
}
