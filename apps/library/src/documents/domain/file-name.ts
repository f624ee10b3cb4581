import { isVisible, withoutInvisible } from './invisible.ts';

const MAX_LENGTH = 255;

/** C0, DEL, C1 and line separators. */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/**
 * The name of a file that somebody sent, made harmless: without its path, composed (NFC), with nothing that cannot be seen, of at most 255
 * characters, of which the extension is kept. Empty when nothing is left. It is shown, and never names anything here.
 */
export function cleanFileName(given: string): string {
  const base = given.split(/[/\\]/).at(-1) ?? '';
  const name = withoutInvisible(base.toWellFormed().normalize('NFC').replace(CONTROLS, '').trim()).trim();
  if (name === '.' || name === '..' || !isVisible(name)) return '';
  if (name.length <= MAX_LENGTH) return name;
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? '';
  return (name.slice(0, MAX_LENGTH - extension.length) + extension).replace(/[\ud800-\udbff](?![\udc00-\udfff])/g, '');
}
