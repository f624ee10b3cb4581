// The scripts of deploy/backup with programs in place of MongoDB's: what they are given, and what is left when they fail. apps/e2e/test/faults/restored-archive.test.ts runs them on
// a real MongoDB.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const SCRIPTS = path.join(import.meta.dirname, '../backup');
const URL = "mongodb://operator:it's-secret@db.example.com/?replicaSet=rs0&tlsCertificateKeyFilePassword=also-secret";

let scratch: string;
let backups: string;
beforeEach(() => {
  scratch = mkdtempSync(path.join(os.tmpdir(), 'fanfare-backup-'));
  backups = path.join(scratch, 'backups');
  mkdirSync(backups);
  mkdirSync(path.join(scratch, 'bin'));
});
afterEach(() => rmSync(scratch, { recursive: true }));

/** A program that writes down its arguments, and its configuration file with its mode, before it does anything. */
function program(name: 'mongodump' | 'mongorestore' | 'kubectl', body: string): void {
  const file = path.join(scratch, 'bin', name);
  const notes = `printf '%s\\n' "$@" >'${scratch}/arguments'; cp "$2" '${scratch}/config'; stat -c %a "$2" >'${scratch}/mode'`;
  // What mongodump is to write to.
  const archive = `for one; do case $one in --archive=*) archive=\${one#*=} ;; esac; done`;
  writeFileSync(file, `#!/usr/bin/env bash\n${notes}\n${archive}\n${body}\n`);
  chmodSync(file, 0o755);
}
const ENTRY = `echo '2030-01-31T09:00:02.000+0000 checking if oplog entry {1896080400 7} still exists' >&2`;
const DUMP = `echo data | gzip >"$archive"; ${ENTRY}`;

function run(script: string, args: readonly string[], env: Record<string, string> = { MONGODB_URL: URL }) {
  const PATH = `${path.join(scratch, 'bin')}:${process.env['PATH']}`;
  return spawnSync(path.join(SCRIPTS, script), args, { encoding: 'utf8', env: { PATH, HOME: scratch, TMPDIR: scratch, ...env } });
}
const noted = (what: 'arguments' | 'config' | 'mode') => readFileSync(path.join(scratch, what), 'utf8').trim();
const called = () => readdirSync(scratch).includes('arguments');

test('a backup is named by the time of its first entry in the oplog, and readable by its owner alone', () => {
  program('mongodump', DUMP);
  const { status, stdout, stderr } = run('backup.sh', [backups]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(readdirSync(backups)).toEqual(['fanfare-2030-01-31T09-00-00Z.archive.gz']);
  expect(statSync(path.join(backups, readdirSync(backups)[0]!)).mode & 0o777).toBe(0o600);
  expect(stdout).toContain('fanfare-2030-01-31T09-00-00Z.archive.gz');
});

test('passwords are in a file that only its owner can read, not in arguments, and the file is gone afterwards', () => {
  program('mongodump', DUMP);
  run('backup.sh', [backups]);
  expect(noted('arguments')).not.toContain('secret');
  expect([noted('mode'), noted('config')]).toEqual(['600', `uri: '${URL.replace("'", "''")}'`]);
  expect(readdirSync(scratch).toSorted()).toEqual(['arguments', 'backups', 'bin', 'config', 'mode']);
});

test.each([
  ['mongodump fails', `${DUMP}; echo "Failed: cannot connect to ${URL}" >&2; exit 1`, 'mongodump has failed'],
  ['the archive is damaged', `echo data | gzip | head -c 9 >"$archive"; ${ENTRY}`, 'The archive is damaged'],
  ['mongodump does not say when it began', `echo data | gzip >"$archive"`, 'did not say when the backup began'],
  ['mongodump is killed', `${DUMP}; kill -KILL $$`, 'mongodump has failed'],
  ['the script is ended', `${DUMP}; kill -TERM $PPID`, ''],
])('%s: there is no backup, and no password is printed', (_, body, because) => {
  program('mongodump', body);
  const { status, stdout, stderr } = run('backup.sh', [backups]);
  expect(status).not.toBe(0);
  expect(stderr).toContain(because);
  expect(stdout + stderr).not.toContain('secret');
  expect(readdirSync(backups)).toEqual([]);
});

test.each([
  ['a space in it', 'mongodb://root:first secret@db.example.com/?replicaSet=rs0'],
  ['a space, a quote, a backslash and signs of patterns in it', String.raw`mongodb://root:first*[x]& "\'#secret@db.example.com/`],
  ['an @ in it', 'mongodb://root:first@sec ret@db.example.com/'],
  ['an @ behind it', 'mongodb://root:first secret@db.example.com/?appName=a@b'],
  ['a letter in it that occurs elsewhere', 'mongodb://root:e@db.example.com/?tlsCertificateKeyFilePassword=first secret'],
  ['a space in that of a key', 'mongodb://db.example.com/?tls=true&tlsCertificateKeyFilePassword=first secret&replicaSet=rs0'],
  ['a token of a role', 'mongodb://db.example.com/?authMechanismProperties=AWS_SESSION_TOKEN:first secret'],
])('a password with %s is not printed, nor a part of it', (_, url) => {
  for (const name of ['mongodump', 'mongorestore'] as const)
    program(name, `echo "Failed: cannot connect to $(sed -E "s/^uri: '(.*)'$/\\1/; s/''/'/g" "$2"): connection refused" >&2; exit 1`);
  const archive = path.join(backups, 'fanfare-2030-01-31T09-00-00Z.archive.gz');
  writeFileSync(archive, gzipSync(Buffer.from('6de29981', 'hex')));
  for (const [script, argument] of [
    ['backup.sh', backups],
    ['restore-database.sh', archive],
  ] as const) {
    const { status, stdout, stderr } = run(script, [argument], { MONGODB_URL: url });
    expect(status).toBe(1);
    expect(stderr).toMatch(/Failed: cannot connect to mongodb:\/\/.* connection refused/);
    expect(stdout + stderr).not.toMatch(/first|sec ?ret/);
  }
});

test('the part of a password that is quoted because it is wrongly escaped is not printed', () => {
  program('mongodump', `echo 'error parsing uri: invalid password: invalid URL escape "%se"' >&2; exit 1`);
  const { stderr } = run('backup.sh', [backups], { MONGODB_URL: 'mongodb://root:first%secret@db.example.com/' });
  expect(stderr).toContain('invalid password: invalid URL escape …');
  expect(stderr).not.toContain('%se');
});

test('a connection string of two lines is rejected: what the tools make of it would be printed', () => {
  program('mongodump', DUMP);
  const { status, stderr } = run('backup.sh', [backups], { MONGODB_URL: 'mongodb://root:first\nsecret@db.example.com/' });
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('MONGODB_URL has a line break') });
  expect([stderr.includes('first'), stderr.includes('secret'), called(), readdirSync(backups)]).toEqual([false, false, false, []]);
});

test('an earlier backup is not replaced: if nothing was written since, it is the one', () => {
  program('mongodump', DUMP);
  run('backup.sh', [backups]);
  const [name = ''] = readdirSync(backups);
  const { ino } = statSync(path.join(backups, name));
  expect(run('backup.sh', [backups])).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(`Nothing had been written since ${path.join(backups, name)}`),
  });
  expect(readdirSync(backups)).toEqual([name]);
  expect(statSync(path.join(backups, name)).ino).toBe(ino);
});

const NO_DAY = '2030-02-30T09:00:00Z';
test.each([
  ['backup.sh', [], { MONGODB_URL: URL }, 'usage:'],
  ['backup.sh', ['/nowhere'], { MONGODB_URL: URL }, '/nowhere is no folder that this user can write to'],
  ['backup.sh', ['.'], {}, 'MONGODB_URL is not set'],
  ['restore-database.sh', [], { MONGODB_URL: URL }, 'usage:'],
  ['restore-database.sh', ['backup.gz'], { MONGODB_URL: URL }, 'backup.gz is not called fanfare-<time>.archive.gz'],
  ['restore-database.sh', ['fanfare-2030-13-99T09-00-00Z.archive.gz'], { MONGODB_URL: URL }, 'a time in its name that does not exist'],
  ['restore-database.sh', ['fanfare-2030-02-30T09-00-00Z.archive.gz'], { MONGODB_URL: URL }, 'a time in its name that does not exist'],
  ['restore-database.sh', ['fanfare-2030-01-31T09-00-00Z.archive.gz'], { MONGODB_URL: URL }, 'cannot be read'],
  ['restore-kubernetes.sh', ['--namespace', 'fanfare'], { MONGODB_URL: URL }, 'usage:'],
  ['restore-kubernetes.sh', ['--namespaces', 'fanfare'], { MONGODB_URL: URL }, '--namespaces is no option'],
  ['restore-kubernetes.sh', ['--until'], { MONGODB_URL: URL }, '--until lacks its value'],
  ['restore-kubernetes.sh', ['a.archive.gz', 'b.archive.gz'], { MONGODB_URL: URL }, 'b.archive.gz is too much'],
  ['restore-kubernetes.sh', ['--namespace', 'f', '--release', 'f', '--until', '9:00', 'a'], { MONGODB_URL: URL }, '9:00 is no time'],
  [
    'restore-kubernetes.sh',
    ['--namespace', 'f', '--release', 'f', '--until', NO_DAY, 'a'],
    { MONGODB_URL: URL },
    `${NO_DAY} does not exist`,
  ],
  ['restore-kubernetes.sh', ['--namespace', 'f', '--release', 'f', import.meta.filename], {}, 'MONGODB_URL is not set'],
])('%s %j rejects what it cannot use', (script, args, env, because) => {
  expect(run(script, args, env)).toMatchObject({ status: 1, stderr: expect.stringContaining(because) });
});

describe('restore-database.sh', () => {
  const archive = () => path.join(backups, 'fanfare-2030-01-31T09-00-00Z.archive.gz');
  /** What an archive of mongodump begins with. */
  const DUMPED = gzipSync(Buffer.from('6de29981', 'hex'));

  test('replaces collections by those of one moment, and prints the time of the backup last', () => {
    program('mongorestore', `echo '2 document(s) restored successfully.' >&2`);
    writeFileSync(archive(), DUMPED);
    const { status, stdout } = run('restore-database.sh', [archive()]);
    expect({ status, last: stdout.trim().split('\n').at(-1) }).toEqual({ status: 0, last: '2030-01-31T09:00:00Z' });
    expect(noted('arguments').split('\n')).toEqual(expect.arrayContaining(['--oplogReplay', '--drop', '--stopOnError']));
    expect([noted('mode'), noted('arguments').includes('secret')]).toEqual(['600', false]);
  });

  test('a failure says that the databases are incomplete, and no password', () => {
    program('mongorestore', `echo "Failed: ${URL}" >&2; exit 1`);
    writeFileSync(archive(), DUMPED);
    const { status, stdout, stderr } = run('restore-database.sh', [archive()]);
    expect({ status, stdout: stdout.includes('2030-01-31T09:00:00Z\n') && stdout.trim().endsWith('Z') }).toEqual({
      status: 1,
      stdout: false,
    });
    expect(stderr).toContain('The databases are incomplete');
    expect(stderr).not.toContain('secret');
  });

  test.each([
    ['a damaged archive', DUMPED.subarray(0, 9), 'is damaged'],
    ['another file', gzipSync('data'), 'is no archive of mongodump'],
    ['an empty file', gzipSync(''), 'is no archive of mongodump'],
  ])('%s changes nothing', (_, content, because) => {
    program('mongorestore', 'exit 0');
    writeFileSync(archive(), content);
    expect(run('restore-database.sh', [archive()])).toMatchObject({ status: 1, stderr: expect.stringContaining(because) });
    expect(called()).toBe(false);
  });
});

test('restore-kubernetes.sh stops nothing for an archive that cannot be restored', () => {
  program('mongorestore', 'exit 0');
  program('kubectl', 'exit 0');
  const archive = path.join(backups, 'fanfare-2030-01-31T09-00-00Z.archive.gz');
  writeFileSync(archive, gzipSync('data'));
  const { status, stderr } = run('restore-kubernetes.sh', [
    '--namespace',
    'f',
    '--release',
    'f',
    '--until',
    '2028-02-29T09:00:00.5Z',
    archive,
  ]);
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('is no archive of mongodump') });
  expect(called()).toBe(false);
});

test('restore-fence runs with the address of each service that the operator commands need, as in Compose', () => {
  const addresses = (file: string) => new Set(readFileSync(file, 'utf8').match(/\b[A-Z_]+_ADDRESS\b/g));
  const { admin = '' } =
    /\n {2}(?<admin>admin:\n(?: {4}.*\n)+)/.exec(readFileSync(path.join(SCRIPTS, '../compose/compose.yaml'), 'utf8'))?.groups ?? {};
  const needed = new Set(admin.match(/\b[A-Z_]+_ADDRESS\b/g));
  expect(needed.size).toBe(4);
  expect(addresses(path.join(SCRIPTS, 'restore-kubernetes.sh'))).toEqual(needed);
});
