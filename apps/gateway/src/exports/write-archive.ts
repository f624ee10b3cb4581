import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { ArchiveSignatures } from './archive-signatures.ts';
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
stored of them. manifest.json lists all files: how many resources each has, and its SHA-256.

manifest.jws proves that the archive is unchanged and of the service that made it: a JSON Web Signature (RFC 7515, Ed25519) whose payload is manifest.json.
GET /api/signing-keys of that service returns the public keys; keep its response with the archive, because keys are replaced at times.

Media are not in the archive, because one can have 5 GiB: "url" in media.jsonl downloads each, without a credential, and "sha256" verifies it. For all
of them (with jq and curl):

  jq -r '.url' businesses/*/media.jsonl | xargs -n 1 curl -O -J

Download them before the organization or the business is erased. What changes while an export is made may be in it as it was before or after.
`;

interface Written {
  readonly name: string;
  readonly resources: number;
  readonly size_bytes: number;
  readonly sha256: string;
}

/**
 * A signed zip archive of these files, in the memory of a few resources.
 * @param signal ends it: the archive is not whole then, and its stream fails
 */
export function openArchive(
  described: Described,
  { sign }: Pick<ArchiveSignatures, 'sign'>,
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
      const written: Written[] = [];
      for await (const { name, resources } of files) {
        const file = await add(`${name}.jsonl`, resources);
        if (file) written.push(file);
      }
      const manifest = JSON.stringify({ ...described, files: written }, null, 2);
      zip.addBuffer(Buffer.from(manifest), 'manifest.json', whole);
      zip.addBuffer(Buffer.from(await sign(manifest)), 'manifest.jws', whole);
      zip.end();
      return written.reduce((sum, { resources }) => sum + resources, 0);
    },
  };

  /** Undefined without resources. */
  async function add(name: string, resources: AsyncIterable<Resource>): Promise<Written | undefined> {
    const hash = createHash('sha256');
    let [count, size] = [0, 0];
    const rest = resources[Symbol.asyncIterator]();
    const first = await rest.next();
    if (first.done) return undefined;
    const source = Readable.from(lines(first.value), { objectMode: false, signal });
    zip.addReadStream(source, name, whole);
    await finished(source);
    return { name, resources: count, size_bytes: size, sha256: hash.digest('hex') };

    async function* lines(resource: Resource): AsyncGenerator<Buffer> {
      for (let next: IteratorResult<Resource> = { value: resource }; !next.done; next = await rest.next()) {
        const line = Buffer.from(`${JSON.stringify(next.value)}\n`);
        count++;
        size += line.length;
        hash.update(line);
        yield line;
      }
    }
  }
}
