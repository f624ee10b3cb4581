/**
 * Sends to every operation what its description allows and what it does not, on a platform of its own: as an API key and, where keys are not
 * permitted, as a signed-in owner. Fails if a response is a 5xx, or does not match the description. Arguments are passed to Schemathesis, and then
 * apply to both callers: `--include-operation-id create_post`.
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
  // Calls without a credential are numerous too.
  await platform.operator.gateway.putPlan({ plan: { ...developmentPlan, id: 'anonymous' } }, platform.operator.as());
  const { ofPeople, others } = await readOperations(platform);
  const keys = await platform.fanfare.keys.list().toArray();
  const key = async () => ({ credential: platform.tenant.api_key, userIds: [] });
  // Signs in when its turn has come, because an access token works for ten minutes.
  const owner = async () => {
    const { accessToken, userId } = await platform.signIn(platform.tenant, 'owner');
    return { credential: accessToken, userIds: [userId] };
  };
  const callers = [
    { name: 'an API key', become: key, operations: others },
    { name: 'a signed-in owner', become: owner, operations: ofPeople },
  ];
  for (const { name, become, operations } of callers) {
    console.log(`\nAs ${name}:`);
    const { credential, userIds } = await become();
    const kept = [...userIds, platform.tenant.business_id, platform.tenant.organization_id, ...keys.map(({ id }) => id)];
    const resources = await makeResources(createFanfare({ baseUrl: platform.baseUrl, apiKey: credential }), platform.tenant);
    const env = { FANFARE_CREDENTIAL: credential, FANFARE_RESOURCES: JSON.stringify(resources), FANFARE_KEPT: JSON.stringify(kept) };
    const args = process.argv.length > 2 ? process.argv.slice(2) : operations.flatMap((id) => ['--include-operation-id', id]);
    if ((await run(program, platform, args, env)) !== 0) process.exitCode = 1;
  }
} finally {
  await platform.stop();
}

/** The ids of operations that only people may call, and of all others: operations for both keys and people run the same code for both. */
async function readOperations({ baseUrl }: Platform): Promise<{ ofPeople: string[]; others: string[] }> {
  const response = await fetch(`${baseUrl}/api/openapi.json`);
  const { paths } = (await response.json()) as { paths: Record<string, Record<string, { operationId: string; security: object[] }>> };
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const isOfPeople = ({ security }: { security: object[] }) => security.length > 0 && !security.some((way) => 'api_key' in way);
  const idsOf = (wanted: boolean) => operations.filter((one) => isOfPeople(one) === wanted).map(({ operationId }) => operationId);
  return { ofPeople: idsOf(true), others: idsOf(false) };
}

async function run(
  { python, folder, env }: Awaited<ReturnType<typeof installSchemathesis>>,
  { baseUrl }: Platform,
  chosen: readonly string[],
  settings: Record<string, string>,
): Promise<number> {
  const args = ['-m', 'schemathesis.cli', '--config-file', path.join(here, 'schemathesis.toml'), 'run', `${baseUrl}/api/openapi.json`];
  const child = spawn(python, [...args, ...chosen], {
    // It keeps a cache in its working directory.
    cwd: folder,
    env: { ...env, SCHEMATHESIS_HOOKS: 'hooks', ...settings },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
