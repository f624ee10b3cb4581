import v8 from 'node:v8';
import vm from 'node:vm';

let collect: ((options: { type: 'minor' }) => void) | undefined;

/**
 * Frees buffers that nobody has any more, in less than a millisecond: to be called by what streams large media, every few megabytes. Left alone, V8
 * looks at its whole heap after some 30 MB of buffers, however young they are, which is two thirds of what reading media from MongoDB costs, and keeps
 * their memory until then.
 */
export function freeBuffers(): void {
  collect ??= exposed();
  collect({ type: 'minor' });
}

/** https://nodejs.org/docs/latest-v24.x/api/globals.html, `gc`, without a flag on every command line. */
function exposed(): NonNullable<typeof collect> {
  v8.setFlagsFromString('--expose-gc');
  return vm.runInNewContext('gc') as NonNullable<typeof collect>;
}
