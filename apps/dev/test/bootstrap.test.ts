import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startCommand } from '../src/start/start-options.ts';
import { workspaceRoot } from '../src/workspace.ts';

/** A clone without installed packages, with only the files that the test needs. */
let clone: string;
beforeAll(() => {
  clone = mkdtempSync(path.join(tmpdir(), 'fanfare-clone-'));
  for (const file of ['package.json', 'package-lock.json', 'apps/dev/bootstrap.mjs', 'apps/dev/help']) {
    cpSync(path.join(workspaceRoot, file), path.join(clone, file), { recursive: true });
  }
});
afterAll(() => rmSync(clone, { recursive: true, force: true }));

const run = (...args: string[]) =>
  spawnSync(process.execPath, [path.join(clone, 'apps/dev/bootstrap.mjs'), ...args], { encoding: 'utf8', timeout: 20_000 });

test.each(['start', 'test', 'test:faults', 'test:schema', 'templates:preview'])(
  '%s --help works in a fresh clone and installs nothing',
  (command) => {
    for (const flag of ['--help', '-h']) {
      const { status, stdout } = run(command, flag);
      expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^Usage: npm /) });
    }
    expect(existsSync(path.join(clone, 'node_modules'))).toBe(false);
  },
);

test.each(['admin', 'bench'])('%s --help says what it needs, and installs nothing', (command) => {
  const { status, stderr } = run(command, '--help');
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('run npm ci') });
  expect(existsSync(path.join(clone, 'node_modules'))).toBe(false);
});

test('the help of npm start lists every option', () => {
  const { stdout } = run('start', '--help');
  for (const { flags } of startCommand().options) expect(stdout).toContain(`  ${flags} `);
});
