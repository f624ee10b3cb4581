import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Processing } from './processing.ts';
import type { createWorld } from './world.ts';

const quietMs = 500;

/** Reads the world from the file, if there is one, and writes it back soon after each change. Returns the last write, for the stop. */
export function keepSnapshot(world: ReturnType<typeof createWorld>, file: string): { flush(): void } {
  if (existsSync(file)) {
    world.load(JSON.parse(readFileSync(file, 'utf8')));
    abandonUnfinishedWork(world);
  }
  let timer: NodeJS.Timeout | null = null;
  const write = () => {
    timer = null;
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(`${file}.tmp`, JSON.stringify(world.toJson()));
    renameSync(`${file}.tmp`, file);
  };
  world.onTouched(() => {
    timer ??= setTimeout(write, quietMs);
  });
  return {
    flush() {
      if (timer) clearTimeout(timer);
      write();
    },
  };
}

/** A fetch does not survive its process. */
function abandonUnfinishedWork(world: ReturnType<typeof createWorld>): void {
  const { tables } = world.toJson() as { tables: Record<string, [string, { processing?: Processing | null }][]> };
  for (const rows of Object.values(tables)) {
    for (const [, row] of rows) {
      if (row.processing?.working)
        Object.assign(row.processing, { working: false, failure: { code: 2, message: 'The sandbox was restarted.' } });
    }
  }
}
