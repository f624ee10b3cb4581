import type { Call, ContentMedia } from '../connector.ts';
import { PlatformFailure } from '../calls/failure.ts';
import { listAt, numberAt, requiredAt, stringAt, unreadable } from '../calls/fields.ts';
import { MAX_PART_BYTES } from './limits.ts';
import { linkedinCall, linkedinGet } from './linkedin-call.ts';
import type { Part, Upload } from './progress.ts';
import { putBytes } from './put-bytes.ts';
import type { Run, Save } from './upload.ts';

export function initializeVideo({ sizeBytes }: ContentMedia, { restarts }: Upload, save: Save): Run {
  return async (call) => {
    const owner = call.account.accountId;
    const json = { initializeUploadRequest: { owner, fileSizeBytes: sizeBytes, uploadCaptions: false, uploadThumbnail: false } };
    const { json: response } = await linkedinCall(call, {
      method: 'POST',
      path: '/videos',
      query: { action: 'initializeUpload' },
      body: { json },
    });
    return save({
      urn: requiredAt(response, 'value', 'video'),
      uploadToken: stringAt(response, 'value', 'uploadToken') ?? '',
      parts: readParts(listAt(response, 'value', 'uploadInstructions'), sizeBytes),
      etags: [],
      ...(restarts !== undefined && { restarts }),
    });
  };
}

/** Each part has its own URL and requires no token. Sending a part again replaces it. */
export function uploadPart(item: ContentMedia, upload: Upload, part: Part, save: Save): Run {
  return async (call) => {
    const bytes = await item.read(part.firstByte, part.lastByte);
    const { headers } = await putBytes(call, { url: part.uploadUrl, headers: {}, bytes }, upload, save);
    if (!headers.etag) throw unreadable('no ETag for a part');
    return save({ ...upload, parts: (upload.parts ?? []).slice(1), etags: [...(upload.etags ?? []), headers.etag] });
  };
}

/** Sent again when its response was lost. If LinkedIn then rejects it, the state of the video shows whether it was finalized. */
export function finalizeVideo({ uploadToken, etags }: Upload, urn: string, save: Save): Run {
  return async (call) => {
    const json = { finalizeUploadRequest: { video: urn, uploadToken: uploadToken ?? '', uploadedPartIds: etags ?? [] } };
    try {
      await linkedinCall(call, { method: 'POST', path: '/videos', query: { action: 'finalizeUpload' }, body: { json } });
    } catch (error) {
      if (!(error instanceof PlatformFailure) || error.class !== 'validation' || !(await isFinalized(call, urn))) throw error;
    }
    return save({ urn, sent: true });
  };
}

async function isFinalized(call: Call, urn: string): Promise<boolean> {
  const status = stringAt(await linkedinGet(call, { path: `/videos/${encodeURIComponent(urn)}` }), 'status');
  return status === 'PROCESSING' || status === 'AVAILABLE';
}

/** LinkedIn decides on the parts; they must cover the whole file, and none may be too large for memory. */
function readParts(instructions: readonly unknown[], sizeBytes: number): Part[] {
  const parts = instructions.map((one) => ({
    uploadUrl: requiredAt(one, 'uploadUrl'),
    firstByte: numberAt(one, 'firstByte') ?? Number.NaN,
    lastByte: numberAt(one, 'lastByte') ?? Number.NaN,
  }));
  const starts = [0, ...parts.map(({ lastByte }) => lastByte + 1)];
  const fits = parts.every(({ firstByte, lastByte }, index) => firstByte === starts[index] && lastByte - firstByte < MAX_PART_BYTES);
  if (!fits || starts.at(-1) !== sizeBytes) throw unreadable('parts that do not make up the file');
  return parts;
}
