import { choosePorts } from './ports.ts';

test('an offset moves every port by the same number, so that two platforms have no port in common', () => {
  const [first, second] = [choosePorts({}, {}), choosePorts({ offset: 1000 }, {})];
  for (const [name, port] of Object.entries(first)) expect(second).toHaveProperty(name, port + 1000);
  expect(new Set([...Object.values(first), ...Object.values(second)]).size).toBe(2 * Object.keys(first).length);
});

test('a port that is set explicitly does not change', () => {
  expect(choosePorts({ api: 5000, offset: 100 }, { FANFARE_SANDBOX_PORT: '6001' })).toMatchObject({
    api: 5000,
    sandbox: 6001,
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

test('names what leads to a port that fetch() rejects', () => {
  expect(() => choosePorts({ offset: 600 }, {})).toThrow(
    'Browsers and fetch() reject port 5060: --port-offset 600 moves the sandbox from port 4460 to it. Choose another offset, or set FANFARE_SANDBOX_PORT to another port.',
  );
  expect(() => choosePorts({ offset: 600 }, { FANFARE_SANDBOX_PORT: '6000' })).toThrow(
    'Browsers and fetch() reject port 6000: set FANFARE_SANDBOX_PORT to another port.',
  );
  expect(() => choosePorts({ api: 6667 }, {})).toThrow('Browsers and fetch() reject port 6667: set --port to another port.');
});

test('the ports that are rejected are those that fetch() blocks', async () => {
  for (const port of [4045, 5060, 5061, 6000, 6566, 6667, 6679, 6697, 10080]) {
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toMatchObject({ cause: { message: 'bad port' } });
    expect(() => choosePorts({ api: port }, {})).toThrow(`port ${port}`);
  }
});
