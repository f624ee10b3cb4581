import { spawn } from 'node:child_process';
import { workspaceRoot } from '../workspace.ts';

/**
 * Tests the API against its description: Schemathesis calls a separate platform.
 * @param args for Schemathesis
 * @param env the addresses of MongoDB and Kafka
 * @param onOutput called with each piece of output; by default, output is shown as it comes
 * @returns its exit code
 */
export function runSchemaTest(
  args: readonly string[],
  env: Record<string, string>,
  signal: AbortSignal,
  onOutput?: (piece: Buffer) => void,
): Promise<number> {
  const output = onOutput ? 'pipe' : 'inherit';
  const child = spawn(process.execPath, ['apps/e2e/src/schemathesis/main.ts', ...args], {
    cwd: workspaceRoot,
    env: { ...process.env, ...env },
    stdio: ['ignore', output, output],
    // It stops its own processes when it is signalled, which must happen once.
    detached: true,
  });
  if (onOutput) for (const stream of [child.stdout, child.stderr]) stream?.on('data', onOutput);
  signal.addEventListener('abort', () => child.exitCode === null && child.pid !== undefined && process.kill(-child.pid, 'SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}
