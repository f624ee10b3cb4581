import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/**
 * Runs a program to its end and returns what it printed on both outputs.
 * @throws Error with the last lines that it printed; ENOENT can be recognized by `code`
 */
export async function runCommand(program: string, args: string[], timeoutMs: number): Promise<string> {
  try {
    const { stdout, stderr } = await execute(program, args, { env: process.env, timeout: timeoutMs, maxBuffer: 16 * 1024 * 1024 });
    return stdout + stderr;
  } catch (error) {
    const {
      code,
      killed,
      stdout = '',
      stderr = '',
    } = error as NodeJS.ErrnoException & { killed?: boolean; stdout?: string; stderr?: string };
    if (code === 'ENOENT') throw error;
    const said = (stderr.trim() || stdout.trim()).split('\n').slice(-3).join(' / ');
    const why = killed ? `it took longer than ${timeoutMs / 1000} s` : `it failed (${code})`;
    throw new Error(`${program}: ${why}${said ? `: ${said}` : ''}`, { cause: error });
  }
}
