/** Whether another program could read bytes as a page, a script, a PDF or an archive. The patterns are long enough not to occur in noise by chance. */
export function containsOtherFile(bytes: Buffer): boolean {
  const text = bytes.toString('latin1');
  // For UTF-16, in which every other byte is zero.
  return MARKS.test(text) || WIDE_MARKS.test(text);
}

const PAGES = ['<script', '<html', '<!doctype', '<iframe', '<body', '<?php'];
const literally = (text: string) => text.replace(/[?!]/g, '\\$&');
const MARKS = new RegExp(
  [
    ...PAGES.map(literally),
    ...['%PDF-', '<svg[\\s>]', '<img[\\s/]', '<\\?=\\s?[\\w$\'"`(]{4}'],
    ...['Rar!\\x1a\\x07', '7z\\xbc\\xaf\\x27\\x1c', 'PK\\x03\\x04[^]\\0', 'PK\\x05\\x06\\0\\0\\0\\0'],
  ].join('|'),
  'i',
);
const WIDE_MARKS = new RegExp(PAGES.map((mark) => [...mark].map(literally).join('\\0')).join('|'), 'i');
