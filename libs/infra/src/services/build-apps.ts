import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { workspaceRoot } from '../workspace-root.ts';

const apps = ['gateway', 'content', 'library', 'publisher', 'analytics', 'generation', 'webhooks', 'sandbox'];

/**
 * Generates the contracts and the client, and builds the apps; nx skips what has not changed.
 * @throws Error with the output of the build
 */
export async function buildApps(signal?: AbortSignal): Promise<void> {
  await nx(['run-many', '--targets=build,generate', `--projects=${apps.join(',')},sdk`], signal);
}

/** Generates the code of proto/. */
export async function generateContracts(signal?: AbortSignal): Promise<void> {
  await nx(['run', 'contracts:generate'], signal);
}

async function nx(args: string[], signal?: AbortSignal): Promise<void> {
  try {
    await promisify(execFile)(process.execPath, ['node_modules/.bin/nx', ...args, '--outputStyle=static'], {
      cwd: workspaceRoot,
      env: {
        ...process.env,
        PATH: `${workspaceRoot}/node_modules/.bin:${process.env['PATH']}`,
        NX_DAEMON: 'false',
        NX_TUI: 'false',
        NX_ISOLATE_PLUGINS: 'false',
        FORCE_COLOR: '0',
      },
      maxBuffer: 64 << 20,
      ...(signal && { signal }),
    });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`The build failed:\n${`${stdout}${stderr}`.trim() || String(error)}`, { cause: error });
  }
}
