import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { ExportedFile } from './exported-files.ts';
import type { Resource } from './read-operations.ts';

/** What the archive says about itself. */
export interface Described {
  readonly organization_id: string;
  readonly export_id: string;
  readonly begun_at: string;
  /** The version of the API whose resources these are. */
  readonly service_version: string;
}

const README = `Everything that Fanfare stores of your organization, as the API shows it.

Each .jsonl file has one resource on each line, as the list operations of the API return it. Files without resources are left out.
organization, members, invitations, keys (without their secrets), webhooks, feedback, audit, events and businesses are about the organization;
businesses/<id>/ has the rest. timelines.jsonl has the entries of all posts, also of deleted ones, with post_id; post_statistics.jsonl and account_history.jsonl what is
stored of them. manifest.json lists all files, and how many resources each has.

Media are not in the archive, because one can have 5 GiB: "url" in media.jsonl downloads each, without a credential, and "sha256" verifies it. For all
of them (with jq and curl):

  jq -r '.url' businesses/*/media.jsonl | xargs -n 1 curl -O -J

Download them before the organization or the business is erased. What changes while an export is made may be in it as it was before or after.
`;

/**
 * A zip archive of these files, in the memory of a few resources.
 * @param signal ends it: the archive is not whole then, and its stream fails
 */
export function openArchive(
  described: Described,
  signal: AbortSignal,
): { readonly bytes: Readable; fill(files: AsyncIterable<ExportedFile>): Promise<number> } {
  const zip = new ZipFile();
  const bytes = zip.outputStream as Readable;
  // Of a file that cannot be read. Without it, the archive would never end.
  zip.on('error', (error: Error) => bytes.destroy(error));
  const mtime = new Date(described.begun_at);
  const whole = { mtime, compress: true };

  return {
    bytes,
    /** Resolves when everything is written, to the number of resources. */
    async fill(files) {
      zip.addBuffer(Buffer.from(README), 'README.txt', whole);
      const written: { name: string; resources: number }[] = [];
      for await (const { name: short, resources } of files) {
        const name = `${short}.jsonl`;
        const count = await add(name, resources);
        if (count > 0) written.push({ name, resources: count });
      }
      zip.addBuffer(Buffer.from(JSON.stringify({ ...described, files: written }, null, 2)), 'manifest.json', whole);
      zip.end();
      return written.reduce((sum, { resources }) => sum + resources, 0);
    },
  };

  async function add(name: string, resources: AsyncIterable<Resource>): Promise<number> {
    let count = 0;
    const rest = resources[Symbol.asyncIterator]();
    const first = await rest.next();
    if (first.done) return count;
    const source = Readable.from(lines(first.value), { objectMode: false, signal });
    zip.addReadStream(source, name, whole);
    await finished(source);
    return count;

    async function* lines(resource: Resource): AsyncGenerator<string> {
      for (let next: IteratorResult<Resource> = { value: resource }; !next.done; next = await rest.next()) {
        count++;
        yield `${JSON.stringify(next.value)}\n`;
      }
    }
  }
}
