import { text } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';

/** The files of a zip archive, as texts, in their order. */
export async function unzip(archive: Buffer): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const zip = await fromBufferPromise(archive, { lazyEntries: true });
  for await (const entry of zip.eachEntry()) files.set(entry.fileName, await text(await zip.openReadStreamPromise(entry)));
  return files;
}
