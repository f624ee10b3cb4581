import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The compiled descriptor set of every proto, for gRPC reflection; read from the workspace, or from beside a bundle. */
export function readDescriptorSet(): Uint8Array {
  const candidates = [path.join(import.meta.dirname, '../descriptors.binpb'), path.join(import.meta.dirname, 'descriptors.binpb')];
  for (const file of candidates) {
    try {
      return readFileSync(file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new Error(`No descriptors.binpb in ${candidates.join(' or ')}; run: npm run generate`);
}
