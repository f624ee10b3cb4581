import { addPost, type Post } from '../world/post.ts';
import { keepMedia } from '../world/media.ts';
import { createWorld, type World } from '../world/world.ts';
import { assets } from '../platforms/linkedin/state.ts';
import { boards } from '../platforms/pinterest/state.ts';
import { postCard } from './post-card.ts';
import { platforms } from '../platforms/registry.ts';

const nasty = `<img src=x onerror=alert(1)> "q" 'a' & https://a.b/"onclick=x #t"x @u"x {x}<script a="`;
const size = { width: 900, height: 1600, durationMs: 3000, framesPerSecond: 30, codec: 'avc', frames: 1 };
let world: World;

beforeEach(() => {
  world = createWorld(() => Date.parse('2027-01-02T03:04:05Z'));
});

function image(altText: string | null = null): string {
  const seen = { ...size, kind: 'image', contentType: 'image/jpeg', preview: Buffer.from('a') } as const;
  return keepMedia(world, Buffer.from('a'), seen, null, altText).id;
}

/** A video whose bytes were deleted. */
function video(cover: string | null = null): string {
  const seen = { ...size, kind: 'video', contentType: 'video/mp4', preview: null } as const;
  const media = keepMedia(world, { path: '/nowhere', length: 1, sha256: '' }, seen, null);
  media.preview = cover;
  return media.id;
}

function shown(platform: Post['platform'], more: Partial<Post> = {}): string {
  const created_at = new Date(world.now()).toISOString();
  world.accounts.set('a', { ...{ id: 'a', platform, username: 'bakery', name: 'The Bakery' }, created_at, followers: 1, linked_id: null });
  const post = { id: 'p', platform, account_id: 'a', kind: 'photo', text: 'Words', link: null, reply_to: null } as const;
  return postCard(world, addPost(world, { ...post, media_ids: [], url: 'https://x.com/1', ...more }), platforms[platform].card);
}

/** The parts as a reader sees them, one after the other. */
function order(html: string, ...parts: string[]): void {
  const places = parts.map((part) => html.indexOf(part));
  expect(places.every((place) => place >= 0) || `${parts[places.indexOf(-1)]} is missing in ${html}`).toBe(true);
  expect(places).toEqual([...places].sort((one, other) => one - other));
}

test.each(['facebook', 'linkedin', 'x'] as const)('%s shows the text above the image', (platform) => {
  order(shown(platform, { media_ids: [image('A loaf')] }), 'The Bakery', 'Words', 'alt="A loaf"');
});

test.each(['google_business', 'pinterest'] as const)('%s shows the image above the text', (platform) => {
  order(shown(platform, { media_ids: [image('A loaf')] }), 'alt="A loaf"', 'Words');
});

test('X shows the handle after the name, and a bar for each option of a poll', () => {
  const html = shown('x', { details: { poll: { options: ['Rye', 'Wheat'], duration_minutes: 1440 }, reply_settings: 'following' } });
  order(html, '<strong>The Bakery</strong> <span>@bakery', 'Words', '<li>Rye<', '<li>Wheat<', '1 day left', '<dd>following</dd>');
  expect(html).not.toContain('<dt>Poll');
});

test('Instagram shows several images next to each other, and then the text after the name', () => {
  const html = shown('instagram', { kind: 'carousel', media_ids: [image(), image()], text: 'With @ann #rye' });
  order(html, '>bakery<', 'strip', '/_control/media/', '>bakery</a> With', 'href="https://www.instagram.com/ann/"', 'explore/tags/rye/');
});

test('TikTok shows the text over the video, and marks a draft', () => {
  const html = shown('tiktok', { kind: 'video', media_ids: [video()], details: { draft: true } });
  order(html, 'class="screen"', 'tall', 'video, 900 × 1600', '>Draft<', '@bakery', 'Words');
  expect(shown('tiktok', { kind: 'video' })).not.toContain('>Draft<');
});

test('Pinterest shows the link of a pin, its title and its board', () => {
  boards(world).set('b', { id: 'b', owner_id: 'a', name: 'Recipes', created_at: '', sections: [{ id: 's', name: 'Soups' }] });
  const details = { title: 'Rye', board_id: 'b', board_section_id: 's' };
  const html = shown('pinterest', { media_ids: [video('YQ==')], link: 'https://www.example.com/rye', details });
  order(html, '<img', 'href="https://www.example.com/rye"', 'example.com ↗', '<h2>Rye</h2>', 'Words', 'Recipes / Soups');
});

test.each([
  ['wide', 1600, false],
  ['tall', 900, true],
])('YouTube has a %s player for its kind of video', (shape, width, isShort) => {
  const id = video();
  world.media.get(id)!.width = width;
  world.media.get(id)!.height = 2500 - width;
  const html = shown('youtube', { kind: 'video', media_ids: [id], details: { title: 'A video', tags: ['rye'] } });
  order(html, `class="media ${shape} `, '<h2>A video', 'The Bakery', 'Words', '<dd>#rye</dd>');
  expect(html.includes('>Short<')).toBe(isShort);
});

test('Google shows events, offers and a button with a link', () => {
  const schedule = { startDate: { year: 2027, month: 3, day: 1 }, startTime: { hours: 9 }, endDate: { year: 2027, month: 3, day: 2 } };
  const offer = { couponCode: 'RYE20', redeemOnlineUrl: 'https://a.b/redeem' };
  order(
    shown('google_business', { details: { event: { title: 'Open day', schedule }, offer } }),
    ...['<h2>Open day</h2>', '2027-03-01 09:00 – 2027-03-02 00:00', 'Words', 'RYE20', 'href="https://a.b/redeem"'],
  );
  const button = (callToAction: object) => shown('google_business', { details: { callToAction } });
  expect(button({ actionType: 'LEARN_MORE', url: 'https://a.b/' })).toContain(
    '<a class="action" href="https://a.b/" rel="noreferrer noopener">Learn more</a>',
  );
  expect(button({ actionType: 'CALL' })).toContain('<span class="action">Call now</span>');
});

test('a link is a card', () => {
  order(shown('facebook', { kind: 'link', link: 'https://www.a.b/rye' }), 'Words', 'class="link-card" href="https://www.a.b/rye"', '>a.b<');
  assets(world).set('urn:li:image:1', { media_id: image('A loaf') } as never);
  const article = { source: 'https://a.b/rye', title: 'Rye', description: 'Why', thumbnail: 'urn:li:image:1' };
  const html = shown('linkedin', { kind: 'link', details: { article } });
  order(html, 'class="link-card" href="https://a.b/rye"', 'alt="A loaf"', '>a.b<', '<strong>Rye</strong>', 'Why');
});

test('LinkedIn links the names that it mentions', () => {
  const details = { commentary: 'Thanks @[Ann \\(A\\)](urn:li:organization:7)!' };
  const html = shown('linkedin', { text: 'Thanks Ann (A)!', details });
  expect(html).toContain('Thanks <a href="https://www.linkedin.com/company/7/" rel="noreferrer noopener">Ann (A)</a>!');
});

test.each(Object.keys(platforms) as (keyof typeof platforms)[])('untrusted text never becomes markup on %s', (platform) => {
  const details = {
    ...{ title: nasty, commentary: `@[${nasty}](urn:li:person:1)`, privacy_level: nasty },
    ...{ article: { source: `javascript:alert(1)//${nasty}`, title: nasty, description: nasty }, event: { title: nasty } },
    ...{ offer: { couponCode: nasty, redeemOnlineUrl: `javascript:${nasty}`, termsConditions: nasty } },
    ...{ callToAction: { actionType: nasty, url: `javascript:${nasty}` } },
    poll: { question: nasty, options: platform === 'x' ? [nasty] : [{ text: nasty }], settings: {}, duration_minutes: 5 },
  };
  shown(platform, { id: 'reply', reply_to: 'p', text: nasty });
  world.accounts.clear();
  const html = shown(platform, { text: nasty, link: `javascript:alert(1)//${nasty}`, media_ids: [image(nasty), video()], details });
  world.accounts.get('a')!.name = nasty;
  world.accounts.get('a')!.username = nasty;
  for (const one of [html, postCard(world, world.posts.get('p')!, platforms[platform].card)]) {
    expect(one).toContain('&#60;img src=x onerror=alert(1)&#62;');
    for (const [tag] of one.matchAll(/<[^>]*>/g)) {
      expect(tag).toMatch(/^<(?:\/[a-z0-9]+|[a-z0-9]+(?: [a-z-]+(?:="[^"<>]*")?)*)>$/);
      expect(tag).not.toMatch(/^<script|javascript:alert|href="javascript| on[a-z]+="/);
    }
  }
});
