import { z } from 'zod';

/** The name of a file or a folder. It is composed (NFC) before it is measured; what it must not hold is the library's to say. */
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
        'Stands once in a folder, in any case, files and folders together. Without slashes, control characters and those that turn the direction of writing; neither `.` nor `..`; no space at its ends.',
    });
