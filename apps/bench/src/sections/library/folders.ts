import { CreateFileRequest, CreateFolderRequest } from '@fanfare/contracts/library/documents';
import { newId } from '@fanfare/runtime';
import type { BenchPlatform } from '../../platform.ts';
import { fillFolder } from '../../store/fill-folder.ts';
import { atMost } from '../../report/table.ts';
import { compare } from '../compare.ts';
import type { Figure } from '../figure.ts';

const SMALL = 100;
/** "The same cost", with a margin for noise. */
const SAME = 1.2;

/** A page of 100 in a folder of 100 files, and in a folder of many. */
export async function folders(platform: BenchPlatform, files: number, say: (line: string) => void): Promise<Figure[]> {
  say(`filling a folder with ${files} files`);
  const [small, large] = [await aFolder(platform, 'Small', SMALL), await aFolder(platform, 'Large', files)];
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

async function aFolder(platform: BenchPlatform, name: string, files: number): Promise<string> {
  const { operator, library, organizationId, businessId, mongoUrl, namespace } = platform;
  const scope = operator.as({ organizationId, businessId });
  const [folderId, fileId] = [newId(), newId()];
  await library.createFolder(CreateFolderRequest.fromPartial({ operationId: newId(), folderId, name }), scope);
  const content = '# Note\n\nWhat the season brings, and what we say about it.\n';
  const file = { operationId: newId(), fileId, name: 'note.md', parentId: folderId, content };
  await library.createFile(CreateFileRequest.fromPartial(file), scope);
  await fillFolder(mongoUrl, `${namespace}_library`, fileId, files);
  return folderId;
}
