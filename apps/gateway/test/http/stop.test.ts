import { eventually } from '@fanfare/testing';
import { startGateway } from '../running-gateway.ts';

it('becomes unready first, and accepts connections until load balancers have had time to notice', async () => {
  const gateway = await startGateway();
  const stopping = await startGateway({ MONGODB_DATABASE: gateway.context.db.databaseName, DRAIN_MS: '8000' });
  const readiness = async () => (await fetch(`http://127.0.0.1:${stopping.server.adminPort}/readyz`)).status;
  const request = () => stopping.call('/api/businesses', { headers: { connection: 'close' } });
  expect([await readiness(), (await request()).status]).toEqual([200, 200]);

  const stopped = stopping.server.stop();
  await eventually(async () => (await readiness()) === 503);
  expect((await request()).status).toBe(200);
  await stopped;
  await expect(request()).rejects.toThrow();

  await stopping.services.stop();
  await gateway.stop();
});
