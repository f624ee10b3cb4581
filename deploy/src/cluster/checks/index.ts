import { installChart, type Images } from '../install.ts';
import { startKeda } from '../keda.ts';
import { startMetricsServer } from '../metrics-server.ts';
import type { Wanted } from '../../cluster.ts';
import type { Cluster } from '../node.ts';
import { checkAutoscalers } from './autoscalers.ts';
import { checkDemo } from './demo.ts';
import { checkDisruptions } from './disruptions.ts';
import { checkNetworkPolicies } from './network-policies.ts';
import { checkNode } from './node.ts';
import { checkRestoredBackup } from './restored-backup.ts';
import { checkScaling } from './scaling.ts';
import { checkUpgrade } from './upgrade.ts';

type Done = (what: string) => void;

/** The checks that need none of Fanfare's images. */
export async function checkCluster(cluster: Cluster, done: Done): Promise<void> {
  await checkNode(cluster);
  done('it runs pods with probes, and Services and DNS find them');
  const { tried, allowed } = await checkNetworkPolicies(cluster);
  done(`the NetworkPolicies are enforced: of ${tried} connections between pods, the ${allowed} that they allow are open`);
}

/** Fanfare in the cluster: what operators do with it, under load. */
export async function checkFanfare(cluster: Cluster, { runDir, helm, programs }: Wanted, images: Images, done: Done): Promise<void> {
  await startKeda(cluster, programs.keda, runDir);
  const release = installChart(cluster, runDir, helm, images);
  done('Fanfare is installed, and all pods are ready');
  const { tenant, platforms } = await checkDemo(release);
  done(`the demo's post went through the API to ${platforms} platforms`);
  await checkDisruptions(release, tenant, done);
  if (images.nextTag !== undefined) await checkUpgrade(release, tenant, images.nextTag, done);
  done(await checkRestoredBackup(release, tenant));
  done(await checkScaling(release, tenant));
  await startMetricsServer(cluster, programs.metricsServer, runDir);
  done(`the autoscalers know from metrics-server how much CPU a pod uses: ${await checkAutoscalers(release)}`);
}
