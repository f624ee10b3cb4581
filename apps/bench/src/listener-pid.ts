import { readdir, readFile, readlink } from 'node:fs/promises';

const LISTENING = '0A';

/**
 * The process that listens on a port of this machine, if /proc shows it (proc_net_tcp(5)); undefined if it runs elsewhere, in a container, or for
 * another user.
 */
export async function listenerPid(port: number): Promise<number | undefined> {
  const inode = await listeningInode(port);
  if (inode === undefined) return undefined;
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
    for (const descriptor of descriptors) {
      const points = await readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => '');
      if (points === `socket:[${inode}]`) return Number(pid);
    }
  }
  return undefined;
}

async function listeningInode(port: number): Promise<string | undefined> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')));
  const rows = tables.flatMap((table) => table.split('\n').map((row) => row.trim().split(/\s+/)));
  return rows.find(([, local, , state]) => local?.endsWith(suffix) && state === LISTENING)?.[9];
}
