import { freePorts } from './ports.ts';

test('a port is reserved by one caller only, even before anything listens on it', async () => {
  const [first, second] = await Promise.all([freePorts(300), freePorts(300)]);
  expect(new Set([...first, ...second]).size).toBe(600);
});
