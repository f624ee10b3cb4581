import { isVisible, withoutInvisible } from './invisible.ts';

const MAX_LENGTH = 255;

/** C0, DEL, C1 and line separators. */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/**
 * Sanitizes the name of an uploaded file: removes the path and invisible characters, normalizes it (NFC), and shortens it to 255 characters, keeping
 * the extension. Returns an empty string if nothing is left. The name is only shown; no file of ours is named by it.
 */
export function cleanFileName(given: string): string {
  const base = given.split(/[/\\]/).at(-1) ?? '';
  const name = withoutInvisible(base.toWellFormed().normalize('NFC').replace(CONTROLS, '').trim()).trim();
  if (name === '.' || name === '..' || !isVisible(name)) return '';
  if (name.length <= MAX_LENGTH) return name;
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? '';
  return (name.slice(0, MAX_LENGTH - extension.length) + extension).replace(/[\ud800-\udbff](?![\udc00-\udfff])/g, '');
}
