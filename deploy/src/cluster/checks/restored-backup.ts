import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { until } from '@fanfare/infra';
import { MongoClient } from 'mongodb';
import { stringify } from 'yaml';
import type { Tenant } from '../api.ts';
import { newFolder, SERVICES, volume } from '../install.ts';
import { untilServed } from '../gateway.ts';
import { checkPublishedOnce, countsOf, publicationsOf, startLoad } from '../load.ts';
import { NAMESPACE, READY_LIMIT, type Release } from '../release.ts';

const PER_SECOND = 2;
/** How long the load runs before the backup, and after it until everything is lost. */
const BEFORE_MS = 30_000;
const AFTER_MS = 20_000;
const FENCE_LIMIT_MS = 600_000;
const MONGODB = `mongodb://fanfare-mongodb.${NAMESPACE}.svc:27017/?directConnection=true`;
const CLAIM = 'data-fanfare-mongodb-0';

/**
 * Under load, MongoDB is backed up. Then all pods and MongoDB's volume are lost. The backup is restored, and fenced, as deploy/README.md says.
 * @returns what was found
 * @throws Error that names posts that are on a platform twice, or, of those that the backup knows, missing without a word
 */
export async function checkRestoredBackup(release: Release, tenant: Tenant): Promise<string> {
  const { kubectl, runDir, admin } = release;
  const backup = path.join(runDir, 'backup');
  const load = startLoad({ tenant, name: 'Around the backup', perSecond: PER_SECOND });
  await wait(BEFORE_MS);
  const { since, lockedMs } = await copyVolume(volumeOf(kubectl).folder, backup);
  await wait(AFTER_MS);

  scale(kubectl, SERVICES, 0);
  kubectl(['delete', 'pod', '--selector', 'app.kubernetes.io/component!=sandbox', '--grace-period=0', '--force']);
  const lost = new Date();
  const report = await load.giveUp();
  const started = performance.now();
  replaceVolume(kubectl, runDir, backup);
  kubectl(['rollout', 'status', 'statefulset/fanfare-mongodb', `--timeout=${READY_LIMIT}`]);
  kubectl(['rollout', 'status', 'statefulset/fanfare-kafka', `--timeout=${READY_LIMIT}`]);

  kubectl(['set', 'env', 'deployment/fanfare-publisher', 'PAUSE_ON_START=true']);
  scale(kubectl, ['publisher'], 1);
  scale(
    kubectl,
    SERVICES.filter((service) => service !== 'gateway'),
    1,
  );
  // The clocks of this machine and of the database are the same one.
  const around = ['--since', new Date(since.getTime() - 5_000).toISOString(), '--until', lost.toISOString()];
  // The command can be repeated, as when services that have just started do not find each other yet.
  const out = await until('restore-fence does not end', FENCE_LIMIT_MS, async () => {
    const fence = admin(['restore-fence', ...around]);
    if (fence.code !== 0) throw new Error(`it ended with ${fence.code}: ${fence.out}`);
    return fence.out;
  });
  scale(kubectl, ['gateway'], 1);
  kubectl(['set', 'env', 'deployment/fanfare-publisher', 'PAUSE_ON_START-']);
  kubectl(['rollout', 'status', 'deployment/fanfare-publisher', `--timeout=${READY_LIMIT}`]);
  await untilServed();
  const seconds = Math.round((performance.now() - started) / 1000);

  const doubled = [...(await countsOf([...report.accepted.map(({ caption }) => caption), ...report.refused]))].filter(
    ([, count]) => count > 1,
  );
  if (doubled.length > 0) throw new Error(`on a platform more than once: ${JSON.stringify(doubled)}`);
  const known = report.accepted.filter(({ acceptedAt }) => acceptedAt < since.getTime());
  const publications = await publicationsOf(tenant, known);
  const unknown = publications.filter(({ error }) => error === 'unknown_outcome').length;
  const wrong = publications.filter(({ status, error, count }) => error !== 'unknown_outcome' && (status !== 'success' || count !== 1));
  if (wrong.length > 0) throw new Error(`of the backup's posts: ${JSON.stringify(wrong)}`);
  const again = startLoad({ tenant, name: 'After the restoration', perSecond: PER_SECOND });
  await wait(BEFORE_MS);
  const published = await checkPublishedOnce(tenant, await again.stop());
  const { found, absent } = JSON.parse(out) as Record<string, number>;
  return [
    `a backup under load (writes waited ${lockedMs} ms), everything lost, and served again after ${seconds} s`,
    `of ${report.accepted.length + report.refused.length} posts, ${known.length} accepted before the backup, none is on a platform twice`,
    `the fence found ${found} deliveries published, ${absent} not, and ${unknown} of which the platform cannot tell; then ${published} publications, each once`,
  ].join('; ');
}

/** A copy of the volume at one moment: MongoDB writes nothing meanwhile. */
async function copyVolume(folder: string, to: string): Promise<{ since: Date; lockedMs: number }> {
  const client = await new MongoClient(MONGODB).connect();
  try {
    const admin = client.db('admin');
    const { localTime } = await admin.command({ hello: 1 });
    const started = performance.now();
    await admin.command({ fsync: 1, lock: true });
    try {
      copy(folder, to);
    } finally {
      await admin.command({ fsyncUnlock: 1 });
    }
    return { since: localTime as Date, lockedMs: Math.round(performance.now() - started) };
  } finally {
    await client.close();
  }
}

/** With their owners. */
const copy = (from: string, to: string) => execFileSync('cp', ['--archive', from, to]);

function volumeOf(kubectl: Release['kubectl']): { name: string; folder: string } {
  const name = kubectl(['get', 'pvc', CLAIM, '-o', 'jsonpath={.spec.volumeName}']);
  return { name, folder: kubectl(['get', 'pv', name, '-o', 'jsonpath={.spec.hostPath.path}']) };
}

/** The volume is lost with all that it holds; its replacement holds the backup. */
function replaceVolume(kubectl: Release['kubectl'], runDir: string, backup: string): void {
  const { name, folder } = volumeOf(kubectl);
  kubectl(['scale', 'statefulset/fanfare-mongodb', '--replicas=0']);
  kubectl(['wait', '--for=delete', 'pod/fanfare-mongodb-0', `--timeout=${READY_LIMIT}`]);
  kubectl(['delete', 'pvc', CLAIM]);
  kubectl(['delete', 'pv', name]);
  rmSync(folder, { recursive: true });
  const restored = newFolder(runDir, 'volume-restored');
  copy(`${backup}/.`, restored);
  kubectl(['apply', '-f', '-'], stringify(volume('volume-restored', restored)));
  kubectl(['scale', 'statefulset/fanfare-mongodb', '--replicas=1']);
}

function scale(kubectl: Release['kubectl'], services: readonly string[], replicas: number): void {
  const deployments = services.map((service) => `deployment/fanfare-${service}`);
  kubectl(['scale', ...deployments, `--replicas=${replicas}`]);
  if (replicas > 0) for (const one of deployments) kubectl(['rollout', 'status', one, `--timeout=${READY_LIMIT}`]);
}
