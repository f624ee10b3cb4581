// The part of `npm run cluster` that runs in namespaces of its own, as their first process: when it ends, everything in them ends.
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { checkNetworkPolicies } from './check-network-policies.ts';
import { checkNode } from './check-node.ts';
import { makePauseImage } from './images.ts';
import { installChart } from './install.ts';
import type { Wanted } from './main.ts';
import { startNode } from './node.ts';

const { runDir, helm, programs, images, keep } = JSON.parse(process.argv[2] ?? '') as Wanted;
const started = performance.now();
const done = (what: string) => console.log(`✓ ${what} (${Math.round((performance.now() - started) / 1000)} s since the start)`);

try {
  const pause = path.join(runDir, 'pause.tar');
  makePauseImage(pause);
  const cluster = await startNode(runDir, programs);
  cluster.importImages(pause);
  done('a node of Kubernetes is ready');
  await checkNode(cluster);
  done('it runs pods with probes, and Services and DNS find them');
  const { tried, allowed } = await checkNetworkPolicies(cluster);
  done(`the NetworkPolicies are enforced: of ${tried} connections between pods, the ${allowed} that they allow are open`);
  if (images) {
    cluster.importImages(images.archive);
    done('images are imported');
    installChart(cluster, runDir, helm, images);
    done('Fanfare is installed, and all pods are ready');
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
