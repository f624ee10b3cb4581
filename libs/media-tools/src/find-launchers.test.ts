import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findLaunchers } from './find-launchers.ts';

const env = { PATH: process.env['PATH'] ?? '' };

test('decoder processes and their children have limits on memory, open files and CPU time', async () => {
  const { worker, decoder } = await findLaunchers(env);
  const limit = async ([program = '', ...args]: readonly string[], option: string) => {
    const { stdout } = await promisify(execFile)(program, [...args, 'sh', '-c', `ulimit ${option}`], { env });
    return stdout.trim();
  };
  expect(await limit(worker, '-d')).toBe(String(4 * 1024 * 1024));
  expect(await limit(worker, '-n')).toBe('512');
  expect(await limit([...worker, ...decoder], '-v')).toBe(String(4 * 1024 * 1024));
  expect(await limit(decoder, '-t')).toBe('7200');
});
