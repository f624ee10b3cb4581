import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { stringify } from 'yaml';
import type { Tenant } from '../load/api.ts';
import { newFolder, volume } from '../install.ts';
import { untilServed } from '../load/gateway.ts';
import { checkPublishedOnce, countsOf, publicationsOf, startLoad } from '../load/load.ts';
import { NAMESPACE, READY_LIMIT, type Release } from '../release.ts';

const PER_SECOND = 2;
/** How long the load runs before the backup, and after it until everything is lost. */
const BEFORE_MS = 30_000;
const AFTER_MS = 20_000;
const CLAIM = 'data-fanfare-mongodb-0';

/**
 * Under load, MongoDB is backed up. Then all pods and MongoDB's volume are lost. The backup is restored by the scripts of deploy/backup: their first run stops everything, and finds no
 * MongoDB; the second one finds an empty one.
 * @returns what was found
 * @throws Error that names posts that are on a platform twice, or, of those that the backup knows, missing without a word
 */
export async function checkRestoredBackup(release: Release, tenant: Tenant): Promise<string> {
  const { kubectl, runDir } = release;
  const backups = newFolder(runDir, 'backups');
  const load = startLoad({ tenant, name: 'Around the backup', perSecond: PER_SECOND });
  await wait(BEFORE_MS);
  const began = Date.now();
  expectCode(release.backup('backup.sh', [backups]), 0);
  const [archive = ''] = readdirSync(backups);
  const backupSeconds = Math.round((Date.now() - began) / 1000);
  await wait(AFTER_MS);

  // First MongoDB: no service may see the empty one that replaces it.
  const lostVolume = loseMongodb(kubectl);
  kubectl(['delete', 'pod', '--selector', 'app.kubernetes.io/component!=sandbox', '--grace-period=0', '--force']);
  const lost = new Date();
  const report = await load.giveUp();
  const started = performance.now();
  const restore = () =>
    release.backup('restore-kubernetes.sh', [
      ...['--namespace', NAMESPACE, '--release', 'fanfare', '--until', lost.toISOString()],
      path.join(backups, archive),
    ]);
  expectCode(restore(), 1);
  replaceMongodb(kubectl, runDir, lostVolume);
  kubectl(['rollout', 'status', 'statefulset/fanfare-kafka', `--timeout=${READY_LIMIT}`]);
  const { out } = expectCode(restore(), 0);
  await untilServed();
  const seconds = Math.round((performance.now() - started) / 1000);

  const doubled = [...(await countsOf([...report.accepted.map(({ caption }) => caption), ...report.rejected]))].filter(
    ([, count]) => count > 1,
  );
  if (doubled.length > 0) throw new Error(`on a platform more than once: ${JSON.stringify(doubled)}`);
  const known = report.accepted.filter(({ acceptedAt }) => acceptedAt < began);
  const publications = await publicationsOf(tenant, known);
  const unknown = publications.filter(({ error }) => error === 'unknown_outcome').length;
  const wrong = publications.filter(({ status, error, count }) => error !== 'unknown_outcome' && (status !== 'success' || count !== 1));
  if (wrong.length > 0) throw new Error(`of the backup's posts: ${JSON.stringify(wrong)}`);
  const again = startLoad({ tenant, name: 'After the restoration', perSecond: PER_SECOND });
  await wait(BEFORE_MS);
  const published = await checkPublishedOnce(tenant, await again.stop());
  // Of restore-fence, which the script runs twice.
  const count = (of: string) => [...out.matchAll(new RegExp(`"${of}": (\\d+)`, 'g'))].at(-1)?.[1];
  return [
    `a backup under load in ${backupSeconds} s, everything lost, and served again ${seconds} s after that`,
    `of ${report.accepted.length + report.rejected.length} posts, ${known.length} accepted before the backup, none is on a platform twice`,
    `the fence found ${count('found')} deliveries published, ${count('absent')} not, and ${unknown} of which the platform cannot tell; then ${published}`,
  ].join('; ');
}

function expectCode(ran: ReturnType<Release['backup']>, code: number) {
  if (ran.code !== code) throw new Error(`the script ended with ${ran.code}: ${ran.out}`);
  return ran;
}

interface Volume {
  readonly name: string;
  readonly folder: string;
}

/** The volume is lost with everything on it. */
function loseMongodb(kubectl: Release['kubectl']): Volume {
  const name = kubectl(['get', 'pvc', CLAIM, '-o', 'jsonpath={.spec.volumeName}']);
  const folder = kubectl(['get', 'pv', name, '-o', 'jsonpath={.spec.hostPath.path}']);
  kubectl(['scale', 'statefulset/fanfare-mongodb', '--replicas=0']);
  kubectl(['wait', '--for=delete', 'pod/fanfare-mongodb-0', `--timeout=${READY_LIMIT}`]);
  kubectl(['delete', 'pvc', CLAIM]);
  kubectl(['delete', 'pv', name]);
  rmSync(folder, { recursive: true });
  return { name, folder };
}

/** By an empty one, which is ready when it is a primary: all other pods that could see it are stopped. */
function replaceMongodb(kubectl: Release['kubectl'], runDir: string, { name }: Volume): void {
  kubectl(['apply', '-f', '-'], stringify(volume(`${name}-replaced`, newFolder(runDir, `${name}-replaced`))));
  kubectl(['scale', 'statefulset/fanfare-mongodb', '--replicas=1']);
  kubectl(['rollout', 'status', 'statefulset/fanfare-mongodb', `--timeout=${READY_LIMIT}`]);
}
