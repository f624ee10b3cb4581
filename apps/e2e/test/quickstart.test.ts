import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { jpeg } from '../src/an-image.ts';
import { borrowPlatform, type Platform } from '../src/platform.ts';

let platform: Platform;
let folder: string;
beforeAll(async () => {
  platform = await borrowPlatform();
  folder = await mkdtemp(path.join(os.tmpdir(), 'fanfare-quickstart-'));
});
afterAll(async () => {
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The part of jq that the quickstart needs: this machine may not have it. */
const JQ = `#!/usr/bin/env node
const path = process.argv.at(-1);
const found = new Function('input', 'return input' + path)(JSON.parse(require('node:fs').readFileSync(0, 'utf8')));
console.log(process.argv.includes('-r') ? found : JSON.stringify(found));
`;

test('the commands of the quickstart publish a photo, as they are on the documentation page', async () => {
  const { info } = (await (await fetch(`${platform.baseUrl}/api/openapi.json`)).json()) as { info: { description: string } };
  const commands = [...info.description.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block).join('');
  expect(commands).toContain(`API=${platform.baseUrl}/api`);
  await writeFile(path.join(folder, 'bread.jpg'), await jpeg());
  await writeFile(path.join(folder, 'jq'), JQ);
  await chmod(path.join(folder, 'jq'), 0o755);

  const script = commands.replace('fk_…', platform.tenant.api_key);
  const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}` };
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], { cwd: folder, env });
  const [begun, ended] = stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { platform: string; status: string }[]).map((one) => [one.platform, one.status]).sort());
  expect(begun?.map(([name]) => name)).toEqual(['facebook', 'instagram']);
  expect(ended).toEqual([
    ['facebook', 'success'],
    ['instagram', 'success'],
  ]);
});
