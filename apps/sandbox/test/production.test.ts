import { runningSandbox } from './running-sandbox.ts';

test('in production nobody can look into the sandbox, or make it fail', async () => {
  const sandbox = await runningSandbox({ NODE_ENV: 'production' });
  try {
    for (const path of ['/_control/posts', '/_control/requests', '/_control/mails', '/_apps', '/_dev/mail', '/_webhooks', '/']) {
      expect((await sandbox.call(path)).status).toBe(404);
    }
    const fault = { platform: 'facebook', call: 'me', fault: { type: 'drop' } };
    expect((await sandbox.control('/faults', fault)).status).toBe(404);
    expect((await sandbox.call('/_webhooks/inbox', { method: 'POST', json: {} })).status).toBe(404);
    expect((await sandbox.call('/readyz')).status).toBe(200);
  } finally {
    await sandbox.stop();
  }
});
