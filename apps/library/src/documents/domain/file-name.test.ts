import { cleanFileName } from './file-name.ts';

test.each([
  ['photo.jpg', 'photo.jpg'],
  ['  Brötchen 🥐.png ', 'Brötchen 🥐.png'],
  ['cafe\u0301.jpg', 'caf\u00e9.jpg'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\me\\clip.mp4', 'clip.mp4'],
  ['evil\u202egpj.exe', 'evilgpj.exe'],
  ['nul\0byte.jpg', 'nulbyte.jpg'],
  ['line\r\nbreak.jpg', 'linebreak.jpg'],
  ['half\ud800.jpg', 'half\ufffd.jpg'],
  ['a\u200bb\u00adc\u{e0041}.jpg\u200d', 'abc.jpg'],
  ['👩\u200d👧.jpg', '👩\u200d👧.jpg'],
  ['\u3164', ''],
  ['\u200b \u2800', ''],
  ['end\uffff.jpg', 'end.jpg'],
  ['..', ''],
  ['folder/', ''],
  ['', ''],
])('%j becomes %j', (given, expected) => {
  expect(cleanFileName(given)).toBe(expected);
});

test('a long name is shortened, and keeps its extension', () => {
  const name = cleanFileName(`${'x'.repeat(10_000)}.jpeg`);
  expect(name).toHaveLength(255);
  expect(name).toMatch(/^x{250}\.jpeg$/);
  expect(cleanFileName('🥐'.repeat(5_000))).toBe('🥐'.repeat(127));
});
