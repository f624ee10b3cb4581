import { createMediaUrls } from './media-urls.ts';
import { parseSigningKeys, type SigningKeys } from './signing-keys.ts';

const keys = (...ids: string[]) =>
  parseSigningKeys(ids.map((id) => `${id}:${Buffer.alloc(32, id).toString('base64')}`).join(',')) as SigningKeys;
const bases = { publicBaseUrl: 'https://api.example.com/v1', internalBaseUrl: 'http://library:4422' };
const urls = createMediaUrls({ ...bases, keys: keys('b', 'a') });
const now = new Date('2026-11-21T12:00:00Z');
const later = new Date('2026-11-21T13:00:00Z');

/** The parts of a URL that the HTTP server reads. */
function parts(text: string): [id: string, signature: string, expires: string | null] {
  const url = new URL(text);
  const [signature = '', id = ''] = url.pathname.split('/').reverse();
  return [id, signature, url.searchParams.get('expires')];
}

test('a stable URL stays the same and is valid for ever', () => {
  expect(urls.stable('m1')).toBe(urls.stable('m1'));
  expect(urls.stable('m1')).toMatch(/^https:\/\/api\.example\.com\/v1\/media\/m1\/b\.[\w-]{43}$/);
  expect(urls.verify(...parts(urls.stable('m1')), new Date('2100-01-01'))).toBe(true);
});

test('an expiring URL is valid until it expires, in public and inside', () => {
  const { publicUrl, internalUrl } = urls.expiring('m1', later);
  expect(publicUrl).toMatch(/^https:\/\/api\.example\.com\/v1\/media\/m1\/.*\?expires=\d+$/);
  expect(internalUrl).toMatch(/^http:\/\/library:4422\/media\/m1\//);
  expect(urls.verify(...parts(publicUrl), now)).toBe(true);
  expect(urls.verify(...parts(internalUrl), new Date(later.getTime() - 1))).toBe(true);
  expect(urls.verify(...parts(publicUrl), later)).toBe(false);
});

test('nothing that was changed is valid', () => {
  const [id, signature, expires] = parts(urls.expiring('m1', later).publicUrl);
  const [, stable] = parts(urls.stable('m1'));
  const lastFlipped = signature.slice(0, -1) + (signature.endsWith('A') ? 'B' : 'A');
  for (const changed of [
    ['m2', signature, expires],
    [id, signature, String(Number(expires) + 1)],
    [id, signature, `${expires}.0`],
    [id, signature, `0${expires}`],
    [id, signature, null],
    [id, signature, ''],
    [id, stable, expires],
    [id, stable, ''],
    [id, lastFlipped, expires],
    [id, signature.slice(0, -1), expires],
    [id, `${signature}A`, expires],
    [id, `${signature}.x`, expires],
    [id, signature.replace('b.', 'a.'), expires],
    [id, signature.replace('b.', 'c.'), expires],
    [id, signature.replace('b.', '.'), expires],
    [id, 'b.', expires],
    [id, '', expires],
    [id, '__proto__.x', expires],
  ] as [string, string, string | null][]) {
    expect([changed, urls.verify(...changed, now)]).toEqual([changed, false]);
  }
});

test('URLs made with an older key are valid while the key is kept, and no longer', () => {
  const old = parts(createMediaUrls({ ...bases, keys: keys('a') }).stable('m1'));
  expect(urls.verify(...old, now)).toBe(true);
  expect(createMediaUrls({ ...bases, keys: keys('b') }).verify(...old, now)).toBe(false);
});

test('a URL on our own host names the media; others name none', () => {
  expect(urls.mediaIdOf(urls.stable('m1'), now)).toBe('m1');
  expect(urls.mediaIdOf(urls.expiring('m1', later).publicUrl, now)).toBe('m1');
  expect(urls.mediaIdOf(`${urls.stable('m1')}#x`, now)).toBe('m1');
  for (const other of [
    urls.expiring('m1', later).internalUrl,
    urls.stable('m1').replace('api.', 'evil.'),
    urls.stable('m1').replace('/m1/', '/m2/'),
    urls.stable('m1').replace('/v1', ''),
    `${urls.stable('m1')}/x`,
    'https://api.example.com/v1/media/m1',
    'not a url',
  ]) {
    expect([other, urls.mediaIdOf(other, now)]).toEqual([other, undefined]);
  }
  expect(urls.isOurs('https://api.example.com/v1/media/m1/forged')).toBe(true);
  expect(urls.isOurs('https://api.example.com/v1/docs')).toBe(false);
});

test('the media that a text shows are found, whatever stands around their URLs, each once and in order', () => {
  const [a, b, c, d] = ['m1', 'm2', 'm3', 'm4'].map((id) => urls.stable(id));
  const text = `![b](${b})\r\n<img src="${a}">, __${c}__ and ${b}.\n[d]: <${urls.expiring('m4', later).publicUrl}>\0 ${d}`;
  expect(urls.mediaIdsIn(text, now)).toEqual(['m2', 'm1', 'm3', 'm4']);
  expect(urls.mediaIdsIn('', now)).toEqual([]);
  expect(urls.mediaIdsIn(`${a?.replace('/m1/', '/m9/')} https://api.example.com/v1/media/ ${a?.replace('api.', 'apix')}`, now)).toEqual([]);
});

test('a URL in a text may lack its origin, and is none of ours behind another', () => {
  const path = (id: string) => new URL(urls.stable(id)).pathname;
  expect(urls.mediaIdsIn(`${path('m1')} ![b](${path('m2')}) <img src="${path('m3')}"> ${urls.stable('m1')}`, now)).toEqual([
    'm1',
    'm2',
    'm3',
  ]);
  expect(urls.mediaIdsIn(`https://example.org${path('m1')} //example.org${path('m2')} x${path('m3')}`, now)).toEqual([]);
  expect(urls.mediaIdsIn(path('m1').replace('/m1/', '/m9/'), now)).toEqual([]);
});

test('a text names a hundred media at most', () => {
  const many = Array.from({ length: 150 }, (_, at) => urls.stable(`m${at}`));
  expect(urls.mediaIdsIn(many.join(' '), now)).toEqual(Array.from({ length: 100 }, (_, at) => `m${at}`));
});
