import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';

/** A real process; returns its exit and its output, each line parsed. */
function start(how: 'serve' | 'fail' | 'hang' | 'throw-later') {
  const child = fork(path.join(import.meta.dirname, 'a-process.ts'), [how], {
    execPath: process.execPath,
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { SECRET_SETTING: 'hunter2' },
  });
  const printed = text(child.stdout!);
  const complained = text(child.stderr!);
  return { child, said: (word: string) => says(child, word), end: () => end(child, printed, complained) };
}

async function says(child: ChildProcess, word: string): Promise<void> {
  for (;;) if ((await once(child, 'message'))[0] === word) return;
}

async function end(child: ChildProcess, printed: Promise<string>, complained: Promise<string>) {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  const lines = (await printed)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { level: string; msg: string; why?: string });
  return { code: child.exitCode, signal: child.signalCode, lines, stderr: await complained };
}

test.each(['SIGTERM', 'SIGINT'] as const)('%s stops it gracefully: it finishes its work and exits with 0', async (signal) => {
  const { child, said, end } = start('serve');
  await said('serving');
  child.kill(signal);
  const { code, lines } = await end();
  expect(code).toBe(0);
  expect(lines.map(({ msg }) => msg)).toEqual(['started', 'stopping', 'finished its work', 'stopped']);
});

test('a second signal neither cuts the stop short nor stops it twice', async () => {
  const { child, said, end } = start('serve');
  await said('serving');
  child.kill('SIGTERM');
  await said('finishing');
  child.kill('SIGTERM');
  const { code, lines } = await end();
  expect(code).toBe(0);
  expect(lines.map(({ msg }) => msg)).toEqual(['started', 'stopping', 'finished its work', 'stopped']);
});

test('it stops gracefully when the parent that started it has ended', async () => {
  const { child, said, end } = start('serve');
  await said('serving');
  child.disconnect();
  const { code, lines } = await end();
  expect(code).toBe(0);
  expect(lines.map(({ msg }) => msg)).toContain('finished its work');
});

test('it does not outlive a parent that ended before it could listen', async () => {
  const { child, end } = start('serve');
  child.disconnect();
  const { code, lines } = await end();
  expect(code).toBe(0);
  expect(lines.at(-1)?.msg).toBe('stopped');
});

test('it ends even while it is still starting', async () => {
  const { child, said, end } = start('hang');
  await said('starting');
  child.kill('SIGTERM');
  const { code, signal } = await end();
  expect({ code, signal }).toEqual({ code: 0, signal: null });
});

test('a failed start prints one line with the reason, without the values of settings, and exits with 1', async () => {
  const { code, lines, stderr } = await start('fail').end();
  expect(code).toBe(1);
  expect(stderr).toBe('');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ level: 'fatal', service: 'a-process' });
  expect(lines[0]?.msg).toMatch(/^cannot start: .*SECRET_SETTING/);
  expect(JSON.stringify(lines)).not.toContain('hunter2');
});

test('an uncaught error is logged, and the process exits with 1', async () => {
  const { code, lines } = await start('throw-later').end();
  expect(code).toBe(1);
  expect(lines.at(-1)).toMatchObject({ level: 'fatal', err: { message: 'nobody catches me' } });
});
