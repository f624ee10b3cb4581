// The part of `npm run cluster` that runs in namespaces of its own, as their first process: when it ends, everything in them ends.
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { checkCluster, checkFanfare } from './cluster/checks/index.ts';
import { makePauseImage } from './cluster/images.ts';
import type { Wanted } from './cluster.ts';
import { startNode } from './cluster/node.ts';

const wanted = JSON.parse(process.argv[2] ?? '') as Wanted;
const { runDir, programs, images, keep } = wanted;
const started = performance.now();
const done = (what: string) => console.log(`✓ ${what} (${Math.round((performance.now() - started) / 1000)} s since the start)`);

try {
  const pause = path.join(runDir, 'pause.tar');
  makePauseImage(pause);
  const cluster = await startNode(runDir, programs);
  cluster.importImages(pause);
  done('a node of Kubernetes is ready');
  await checkCluster(cluster, done);
  if (images) {
    cluster.importImages(images.archive);
    done('images are imported');
    await checkFanfare(cluster, wanted, images, done);
  }
  if (keep) {
    console.log('It runs until Ctrl-C.');
    await setTimeout(2 ** 31 - 1);
  }
  process.exit(0);
} catch (error) {
  const { message, stderr } = error as Error & { stderr?: string };
  console.error(`✗ ${[message, stderr].filter(Boolean).join('\n')}\n--keep keeps the cluster and its logs, for a look.`);
  if (keep) await setTimeout(2 ** 31 - 1);
  process.exit(1);
}
