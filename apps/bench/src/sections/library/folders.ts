import { CreateFileRequest, CreateFolderRequest } from '@fanfare/contracts/library/documents';
import { newId } from '@fanfare/runtime';
import type { BenchPlatform } from '../../platform.ts';
import { atMost } from '../../report/table.ts';
import { compare } from '../compare.ts';
import type { Figure } from './figure.ts';

const SMALL = 100;
/** "Costs the same", with room for noise. */
const SAME = 1.2;
const CREATE_CONCURRENCY = 32;

/** A page of 100 out of a folder of 100 files, and out of one of many. */
export async function folders(platform: BenchPlatform, files: number, say: (line: string) => void): Promise<Figure[]> {
  say(`creating ${files} files by the library service`);
  const [small, large] = [await fillFolder(platform, 'Small', SMALL), await fillFolder(platform, 'Large', files)];
  say('listing folders');
  const { baseUrl, businessId, apiKey } = platform;
  const page = (name: string, folder: string) => ({
    name,
    target: {
      origin: baseUrl,
      request: () => ({
        method: 'GET' as const,
        path: `/api/businesses/${businessId}/files?folder_id=${folder}&limit=100`,
        headers: { authorization: `Bearer ${apiKey}` },
      }),
    },
    processes: {},
  });
  const turns = { concurrency: 1, rounds: 5, seconds: 3 };
  const figures = await compare([page('small', small), page('large', large)], turns);
  const [first = 0, many = 0] = [figures['small']?.p50Ms, figures['large']?.p50Ms];
  return [
    {
      what: `page of 100 files in a folder of ${SMALL} and of ${files}, p50`,
      measured: `${first.toFixed(1)} → ${many.toFixed(1)} ms: ${(many / first).toFixed(2)} ×`,
      target: `≤ ${SAME} ×`,
      verdict: atMost(SAME, many / first),
    },
  ];
}

/** By the service's own contract: through the gateway it would take several times as long. */
async function fillFolder({ operator, library, organizationId, businessId }: BenchPlatform, name: string, files: number): Promise<string> {
  const scope = operator.as({ organizationId, businessId });
  const folderId = newId();
  await library.createFolder(CreateFolderRequest.fromPartial({ operationId: newId(), folderId, name }), scope);
  let left = files;
  const lane = async () => {
    for (let at = --left; at >= 0; at = --left) {
      const content = `# Note ${at}\n\nWhat the season brings, and what we say about it.\n`;
      const file = { operationId: newId(), fileId: newId(), name: `note-${at}.md`, parentId: folderId, content };
      await library.createFile(CreateFileRequest.fromPartial(file), scope);
    }
  };
  await Promise.all(Array.from({ length: CREATE_CONCURRENCY }, lane));
  return folderId;
}
