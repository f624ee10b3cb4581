import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CannotServe, type Started, type Wanted } from '../infra.ts';
import { installOnce } from '../install/install-once.ts';
import { checkKafka } from '../servers/check-kafka.ts';
import { jvmFlags, kafkaSettings } from '../servers/kafka-settings.ts';
import { freePorts } from '../ports.ts';
import { runCommand } from '../processes/run-command.ts';
import { startServer } from '../processes/start-server.ts';
import { reasonOf, until } from '../until.ts';
import { workspaceRoot } from '../workspace-root.ts';

const pom = path.join(workspaceRoot, 'libs/infra/kafka/pom.xml');
const DOWNLOAD_LIMIT_MS = 600_000;
const READY_LIMIT_MS = 60_000;
/** Any id works, as long as the same data is always opened with the same one. */
const CLUSTER_ID = '5L6g3nShT-eMCtK--X86sw';

interface KafkaProgram {
  readonly java: string;
  readonly jars: string;
}

/**
 * Where Java is, and where Kafka's jars are or will be, which Maven downloads once.
 * @throws Error if our own list of jars cannot be read
 */
export async function locateKafka(cacheDir: string): Promise<KafkaProgram> {
  const home = process.env['JAVA_HOME'];
  const version = createHash('sha256')
    .update(await readFile(pom))
    .digest('hex')
    .slice(0, 12);
  return { java: home ? path.join(home, 'bin/java') : 'java', jars: path.join(cacheDir, `kafka-${version}`) };
}

/**
 * Downloads the jars unless they are installed.
 * @throws CannotServe
 */
export async function installKafka({ jars }: KafkaProgram, onProgress: Wanted['onProgress']): Promise<void> {
  await installOnce(path.dirname(jars), path.basename(jars), async (target) => {
    onProgress('Kafka: downloading with Maven (43 MB, once)');
    await downloadJars(target).catch((error: unknown) => {
      throw new CannotServe(`Maven cannot download Kafka: ${reasonOf(error)}`, { cause: error });
    });
  });
}

export async function startKafka(
  { java, jars }: KafkaProgram,
  port: number,
  { runDir, keepData, fresh, onProgress }: Wanted,
): Promise<Started> {
  const logDir = path.join(runDir, 'kafka');
  const config = path.join(runDir, 'kafka.properties');
  if (fresh) await rm(logDir, { recursive: true, force: true });
  await mkdir(logDir, { recursive: true });
  const [controllerPort = 0] = await freePorts(1);
  const settings = kafkaSettings({ port, controllerPort, listenHost: '127.0.0.1', logDir });
  await writeFile(
    config,
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );

  const jvm = [...jvmFlags, '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn', '-cp', path.join(jars, '*')];
  if (!existsSync(path.join(logDir, 'meta.properties'))) {
    await runCommand(java, [...jvm, 'kafka.tools.StorageTool', 'format', '--cluster-id', CLUSTER_ID, '--config', config], READY_LIMIT_MS);
  }
  const ready = (signal: AbortSignal) => until('Kafka does not respond', READY_LIMIT_MS, () => checkKafka(`127.0.0.1:${port}`), signal);
  const started = await startServer({ name: 'kafka', program: java, args: [...jvm, 'kafka.Kafka', config], runDir, keepData, ready });
  onProgress(`Kafka: running at 127.0.0.1:${port}`);
  return started;
}

async function downloadJars(target: string): Promise<void> {
  // A copy outside the repository, where Maven finds no .mvn directory or parent POM of another project.
  const copy = path.join(target, 'pom.xml');
  await copyFile(pom, copy);
  await runCommand(
    'mvn',
    ['--batch-mode', '--quiet', '-f', copy, 'dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${target}`],
    DOWNLOAD_LIMIT_MS,
  );
}
