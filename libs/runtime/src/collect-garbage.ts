import v8 from 'node:v8';
import vm from 'node:vm';

interface Collection {
  readonly type: 'minor' | 'major';
  readonly flavor?: 'last-resort';
  readonly execution?: 'sync';
}

let collect: ((options: Collection) => void) | undefined;

/**
 * Frees buffers that nobody has any more, in less than a millisecond: to be called by what streams large media, every few megabytes. Left alone, V8
 * looks at its whole heap after some 30 MB of buffers, however young they are, which is two thirds of what reading media from MongoDB costs, and keeps
 * their memory until then.
 */
export function freeBuffers(): void {
  collect ??= exposed();
  collect({ type: 'minor' });
}

/**
 * Gives back what the start of a process leaves behind (sources, schemas that were built once, compiled code that never runs again): 10 to 40 MB that V8
 * would keep until much work comes. It stops the process for some 200 ms, so it is for the moment before work comes.
 */
export function freeAfterStart(): void {
  collect ??= exposed();
  collect({ type: 'major', flavor: 'last-resort', execution: 'sync' });
}

/** https://nodejs.org/docs/latest-v24.x/api/globals.html, `gc`, without a flag on every command line. */
function exposed(): NonNullable<typeof collect> {
  v8.setFlagsFromString('--expose-gc');
  return vm.runInNewContext('gc') as NonNullable<typeof collect>;
}
