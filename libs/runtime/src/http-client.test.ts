import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

test('a server that closes after the body does not end the process, and the whole body is read', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [path.join(import.meta.dirname, '../test/closing-servers.ts')]);
  expect(stdout.trim().split('\n')).toEqual(['80000', '80000', '80000', '80000']);
});
