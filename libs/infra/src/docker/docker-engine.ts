import { createServer } from 'node:net';
import type { ContainerRuntimeClient } from 'testcontainers';
import { CannotServe } from '../infra.ts';
import { reasonOf } from '../until.ts';

/** Label with the run directory that a container belongs to. */
export const LABEL = 'fanfare.run-dir';
const PULL_LIMIT_MS = 600_000;

/**
 * The Docker engine that Testcontainers finds, with its reaper (Ryuk) running, which removes our containers when this process is killed.
 * @throws CannotServe
 */
export async function connectEngine(): Promise<ContainerRuntimeClient> {
  const { getContainerRuntimeClient, getReaper } = await import('testcontainers');
  const engine = await getContainerRuntimeClient().catch((error: unknown) => {
    throw new CannotServe('no Docker engine responds', { cause: error });
  });
  const { host } = engine.info.containerRuntime;
  if (!(await isThisMachine(host))) throw new CannotServe(`the Docker engine is not on this machine but at ${host}`);
  await getReaper(engine).catch((error: unknown) => {
    throw new CannotServe(
      `the reaper of Testcontainers does not start (disable it with TESTCONTAINERS_RYUK_DISABLED=true): ${reasonOf(error)}`,
      { cause: error },
    );
  });
  return engine;
}

/**
 * Containers are reached at 127.0.0.1. If Testcontainers thinks that this process runs in a container, it names the engine's bridge, which is an
 * interface of this machine if we can listen there, also while the bridge is down because no container runs yet (`networkInterfaces()` leaves it out
 * then).
 */
function isThisMachine(host: string): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(0, host, () => server.close(() => resolve(true)));
  });
}

/**
 * Pulls the image unless the engine has it.
 * @throws CannotServe
 */
export async function requireImage(
  { image: images }: ContainerRuntimeClient,
  image: string,
  onProgress: (line: string) => void,
): Promise<void> {
  const { ImageName } = await import('testcontainers');
  const name = ImageName.fromString(image);
  if (await images.exists(name)) return;
  onProgress(`Docker: pulling ${image} (once)`);
  const limit = AbortSignal.timeout(PULL_LIMIT_MS);
  const tooLong = new Promise<never>((_, reject) =>
    limit.addEventListener('abort', () => reject(new Error(`it takes longer than ${PULL_LIMIT_MS / 1000} s`))),
  );
  await Promise.race([images.pull(name), tooLong]).catch((error: unknown) => {
    throw new CannotServe(`the image ${image} cannot be pulled: ${reasonOf(error)}`, { cause: error });
  });
  // The library does not report a failure in the middle of a pull.
  if (!(await images.exists(name))) throw new CannotServe(`the image ${image} was only pulled in part`);
}

/** Removes the containers of an earlier run in the same directory, which was killed and had no reaper. */
export async function removeLeftovers({ container: { dockerode } }: ContainerRuntimeClient, runDir: string): Promise<void> {
  for (const { Id } of await dockerode.listContainers({ all: true, filters: { label: [`${LABEL}=${runDir}`] } })) {
    await dockerode.getContainer(Id).remove({ force: true, v: true }).catch(ignoreMissing);
  }
}

export async function removeVolume({ container: { dockerode } }: ContainerRuntimeClient, volume: string): Promise<void> {
  await dockerode.getVolume(volume).remove().catch(ignoreMissing);
}

/** 404: it no longer exists; 409: another process is removing it. */
function ignoreMissing(error: unknown): void {
  const { statusCode } = error as { statusCode?: number };
  if (statusCode !== 404 && statusCode !== 409) throw error;
}
