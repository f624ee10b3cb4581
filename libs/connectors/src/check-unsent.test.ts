import { aContent, anImage, aReel } from '../test/a-content.ts';
import { checkUnsent } from './check-unsent.ts';
import type { Content } from './connector.ts';
import type { Platform } from './platform.ts';
import { platformRules } from './platform-rules.ts';

const link = 'https://example.com/a';

function found(platform: Platform, content: Partial<Content>, isOwnLink: boolean): string[] {
  const rules = platformRules[platform];
  if (!rules) throw new Error(platform);
  const hasMedia = (content.media ?? []).length > 0;
  return checkUnsent(rules, aContent(content), { hasMedia, isOwnLink }).map(({ rule, field }) => `${field} ${rule}`);
}

test.each<[Platform, Content['options'], boolean]>([
  ['google_business', {}, false],
  ['pinterest', {}, false],
  ['tiktok', {}, false],
  ['youtube', { made_for_kids: true }, false],
  ['youtube', { made_for_kids: false }, true],
  ['facebook', {}, true],
  ['instagram', {}, true],
  ['linkedin', {}, true],
  ['x', {}, true],
])('a first comment on %s with %j is sent: %j', (platform, options = {}, isSent) => {
  const content = { media: [aReel()], firstComment: 'First!', options };
  expect(found(platform, content, false)).toEqual(isSent ? [] : ['first_comment unsupported']);
});

test.each<[Platform, Partial<Content>, { general: boolean; own: boolean }]>([
  ['facebook', {}, { general: true, own: true }],
  ['facebook', { media: [anImage()] }, { general: false, own: false }],
  ['google_business', { media: [anImage()] }, { general: true, own: true }],
  ['pinterest', { media: [anImage()] }, { general: true, own: true }],
  ['x', { options: { append_link: true } }, { general: true, own: true }],
  // Whoever gives a link with the post means it for those that show it.
  ['x', {}, { general: true, own: false }],
  ['instagram', { media: [anImage()] }, { general: true, own: false }],
  ['linkedin', {}, { general: true, own: false }],
  ['tiktok', { media: [aReel()] }, { general: true, own: false }],
  ['youtube', { media: [aReel()] }, { general: true, own: false }],
])('a link on %s of %j is sent, or nobody has to hear of it: %j', (platform, content, isFine) => {
  expect(found(platform, { ...content, link }, false)).toEqual(isFine.general ? [] : ['link ignored']);
  expect(found(platform, { ...content, link }, true)).toEqual(isFine.own ? [] : ['link ignored']);
});
