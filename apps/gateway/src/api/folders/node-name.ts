import { z } from 'zod';

/** The name of a file or a folder. It is normalized (NFC) before its length is checked; the library service rejects forbidden characters. */
export const nodeName = (example: string) =>
  z
    .string()
    .normalize('NFC')
    .min(1)
    .max(255)
    .refine((name) => name.isWellFormed(), 'contains an unpaired surrogate')
    .meta({
      example,
      description:
        'Unique among the files and folders of a folder, case-insensitive. No slashes, control characters or bidirectional controls; not `.` or `..`; no leading or trailing spaces.',
    });
