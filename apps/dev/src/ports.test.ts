import { choosePorts } from './ports.ts';

test('an offset moves every port by the same number, so that two platforms have no port in common', () => {
  const [first, second] = [choosePorts({}, {}), choosePorts({ offset: 1000 }, {})];
  for (const [name, port] of Object.entries(first)) expect(second).toHaveProperty(name, port + 1000);
  expect(new Set([...Object.values(first), ...Object.values(second)]).size).toBe(2 * Object.keys(first).length);
});

test('a port that is set explicitly does not change', () => {
  expect(choosePorts({ api: 5000, offset: 100 }, { FANFARE_SANDBOX_PORT: '6000' })).toMatchObject({
    api: 5000,
    sandbox: 6000,
    gatewayGrpc: 4501,
  });
});

test('names a setting that is not a port, and an offset that is too large', () => {
  expect(() => choosePorts({}, { FANFARE_API_PORT: 'http' })).toThrow('FANFARE_API_PORT must be a port number, not http.');
  expect(() => choosePorts({ offset: 61_200 }, {})).toThrow('--port-offset 61200 moves the API from port 4400 to 65600');
});

test('names two that would listen on the same port', () => {
  expect(() => choosePorts({ api: 4401 }, {})).toThrow(
    "Port 4401 is configured for both the API and the gateway's internal API. Set FANFARE_GATEWAY_GRPC_PORT to another port.",
  );
});
