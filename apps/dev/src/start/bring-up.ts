import path from 'node:path';
import type { Infra } from '@fanfare/infra';
import { at, serviceSpecs } from '@fanfare/stack/service-specs';
import { writeDevFile, type DevFile } from '../dev-file.ts';
import { localSecrets } from './local-secrets.ts';
import { infraProcesses } from './memory.ts';
import type { Ports } from '../ports.ts';
import { runServices, type RunningServices } from './run-services.ts';
import { seed } from './seed.ts';
import { showDemo } from '../demo/show-demo.ts';
import { showDrafts } from '../demo/show-drafts.ts';
import type { StartOptions } from './start-options.ts';
import type { Steps } from '../steps.ts';
import { firstPostLine, timeTable, whatToDoNext } from './summary.ts';
import { keepOldLogs, wipe } from './wipe.ts';
import { dataDir } from '../workspace.ts';
import { memoryLine, residentMb } from './memory.ts';

interface BringUp {
  readonly options: StartOptions;
  readonly ports: Ports;
  readonly infra: Infra;
  readonly steps: Steps;
  /** Aborted when the start is given up. */
  readonly signal: AbortSignal;
}

/**
 * Starts the services, seeds them, publishes the demo's post and prints what to do next.
 * @param onServices called as soon as there are processes to stop
 * @returns when all this is done
 */
export async function bringUp(
  { options, ports, infra, steps, signal }: BringUp,
  onServices: (running: RunningServices) => void,
): Promise<RunningServices> {
  if (options.fresh) await wipe(dataDir, infra);
  keepOldLogs(dataDir);
  const secrets = localSecrets(dataDir);

  const sandboxDataFile = path.join(dataDir, 'sandbox.json');
  const specs = serviceSpecs({
    ports,
    infra,
    secrets,
    sandboxDataFile,
    given: process.env,
    composer: options.composer,
    canary: options.canary,
  });
  const services = await steps.run(
    'services',
    async () => {
      const started = runServices(specs);
      onServices(started);
      await started.ready();
      return started;
    },
    () => specs.map(({ name }) => name).join(', '),
  );

  const baseUrl = `http://${at(ports.api)}`;
  const admin = {
    gateway: at(ports.gatewayGrpc),
    content: at(ports.contentGrpc),
    publisher: at(ports.publisherGrpc),
    webhooks: at(ports.webhooksGrpc),
  };
  const { namespace } = secrets;
  const processes = {
    ...Object.fromEntries(services.processes.map(({ name, pid }) => [name, pid])),
    ...(await infraProcesses(infra, dataDir)),
  };

  const show = async () => {
    const seeded = await steps.run(
      'seed',
      () => seed({ baseUrl, namespace, admin }),
      ({ integrations }) => `${Object.keys(integrations).join(', ')} connected`,
    );
    const platform: DevFile = {
      base_url: baseUrl,
      console_url: null,
      docs_url: `${baseUrl}/docs`,
      openapi_url: `${baseUrl}/api/openapi.json`,
      mail_url: `${baseUrl}/_dev/mail`,
      sandbox_url: `http://${at(ports.sandbox)}`,
      ...seeded,
      admin,
      health: Object.fromEntries(specs.map(({ name, adminUrl }) => [name, adminUrl])),
      mongodb_url: infra.mongoUrl,
      kafka_brokers: infra.kafkaBrokers,
      namespace,
      processes,
    };
    writeDevFile(platform);
    if (options.generate !== undefined) await showDrafts(platform, options.generate, steps, signal);
    else if (options.demo && (await showDemo(platform, options, steps, signal))) console.log(firstPostLine());
    console.log(timeTable(steps.tookMs));
    console.log(`Memory (MB): ${memoryLine(await residentMb(processes))}`);
    console.log(whatToDoNext(platform));
  };
  await Promise.race([show(), services.died]);
  return services;
}
