interface Served {
  readonly _id: string;
  readonly mime_type: string;
}

/** The Content-Disposition. Only types on the list are shown in the browser; any other type is a download. */
export function disposition({ _id, mime_type }: Served): string {
  if (mime_type === ARCHIVE) return `attachment; filename="fanfare-export-${_id}.zip"`;
  const extension = EXTENSIONS[mime_type];
  return extension === undefined ? `attachment; filename="${_id}.bin"` : `inline; filename="${_id}.${extension}"`;
}

export function servedType({ mime_type }: Served): string {
  return EXTENSIONS[mime_type] === undefined && mime_type !== ARCHIVE ? 'application/octet-stream' : mime_type;
}

/** Media never have this type. */
const ARCHIVE = 'application/zip';

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
  'audio/mp4': 'm4a',
  'audio/webm': 'weba',
  'audio/mpeg': 'mp3',
  'audio/aac': 'aac',
  'audio/wav': 'wav',
  'audio/ogg': 'ogg',
  'audio/flac': 'flac',
};
