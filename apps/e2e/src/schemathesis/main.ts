/**
 * Sends every operation what its description allows and what it does not, to a platform of its own: as an API key, and as a signed-in owner.
 * Fails when a response is a 5xx, or is not what the description says. Arguments go to Schemathesis: `--include-operation-id create_post`.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { createFanfare } from '@fanfare/sdk';
import { developmentPlan } from '@fanfare/stack';
import { startPlatform, type Platform } from '../platform.ts';
import { installSchemathesis } from './install.ts';
import { makeResources } from './make-resources.ts';

const here = import.meta.dirname;
const [program, platform] = await Promise.all([installSchemathesis(), startPlatform()]);
try {
  // Calls without a credential are many too.
  await platform.operator.gateway.putPlan({ plan: { ...developmentPlan, id: 'anonymous' } }, platform.operator.as());
  const { accessToken, userId } = await platform.signIn(platform.tenant, 'owner');
  const callers = { 'an API key': platform.tenant.api_key, 'a signed-in owner': accessToken };
  const keys = await platform.fanfare.keys.list().toArray();
  const kept = [userId, ...keys.map(({ id }) => id)];
  for (const [name, credential] of Object.entries(callers)) {
    console.log(`\nAs ${name}:`);
    const resources = await makeResources(createFanfare({ baseUrl: platform.baseUrl, apiKey: credential }), platform.tenant);
    const env = { FANFARE_CREDENTIAL: credential, FANFARE_RESOURCES: JSON.stringify(resources), FANFARE_KEPT: JSON.stringify(kept) };
    if ((await run(program, platform, env)) !== 0) process.exitCode = 1;
  }
} finally {
  await platform.stop();
}

async function run(
  { python, folder, env }: Awaited<ReturnType<typeof installSchemathesis>>,
  { baseUrl }: Platform,
  settings: Record<string, string>,
): Promise<number> {
  const args = ['-m', 'schemathesis.cli', '--config-file', path.join(here, 'schemathesis.toml'), 'run', `${baseUrl}/api/openapi.json`];
  const child = spawn(python, [...args, ...process.argv.slice(2)], {
    // It keeps a cache where it runs.
    cwd: folder,
    env: { ...env, SCHEMATHESIS_HOOKS: 'hooks', ...settings },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
