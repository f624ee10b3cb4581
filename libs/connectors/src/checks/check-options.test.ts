import { aContent, anImage, aVideo } from '../../test/a-content.ts';
import { checkOptions } from './check-options.ts';
import { checkContent } from './check-content.ts';
import type { Content, Options } from '../connector.ts';
import { capabilitiesIn } from '../features.ts';
import { platformRules } from '../platform.ts';
import { connectors } from '../registry.ts';

type Name = keyof typeof connectors;

test.each<[Name, Options, readonly string[]]>([
  ['pinterest', {}, ['required options.board_id']],
  ['pinterest', { board_id: '17' }, []],
  ['pinterest', { board_id: 'Bread' }, ['invalid options.board_id']],
  ['tiktok', {}, ['required options.privacy_level']],
  ['tiktok', { privacy_level: 'SELF_ONLY' }, []],
  ['tiktok', { post_mode: 'draft' }, []],
  ['tiktok', { post_mode: 'direct' }, ['required options.privacy_level']],
  ['google_business', { topic_type: 'EVENT' }, ['invalid options.event']],
  ['x', {}, []],
  ['youtube', {}, []],
])('%s, told %j: %j', (name, options, found) => {
  expect(checkOptions(connectors[name], options).map(({ rule, field }) => `${rule} ${field}`)).toEqual(found);
});

test('the message about a missing option names both places to set it', () => {
  const [finding] = checkOptions(connectors.pinterest, {});
  expect(finding?.message).toMatch(/board_id is required.*options of this platform.s override.*settings of the account/);
});

const during = { start_date: '2026-12-01', start_time: '09:00', end_date: '2026-12-01', end_time: '17:00' };

test.each<[string, Name, Partial<Content>, readonly string[]]>([
  ['a cover beyond the photos', 'tiktok', { media: [anImage()], options: { photo_cover_index: 1 } }, ['options.photo_cover_index']],
  ['the last photo as the cover', 'tiktok', { media: [anImage(), anImage()], options: { photo_cover_index: 1 } }, []],
  ['photos made by AI', 'tiktok', { media: [anImage()], options: { disclose_ai_generated: true } }, ['options.disclose_ai_generated']],
  ['a draft, without a declaration', 'tiktok', { media: [anImage()], options: { post_mode: 'draft', disclose_ai_generated: true } }, []],
  ['a video made by AI', 'tiktok', { media: [aVideo()], options: { disclose_ai_generated: true } }, []],
  ['an event without a title', 'google_business', { options: { topic_type: 'EVENT', event: during } }, ['options.event']],
  ['an event that the override names', 'google_business', { title: 'Baking', options: { topic_type: 'EVENT', event: during } }, []],
  ['a button without an address', 'google_business', { options: { call_to_action: { action_type: 'BOOK' } } }, ['options.call_to_action']],
  ['a button to the link', 'google_business', { link: 'https://a.example', options: { call_to_action: { action_type: 'BOOK' } } }, []],
  ['a button that dials', 'google_business', { options: { call_to_action: { action_type: 'CALL' } } }, []],
])('%s on %s', (_what, name, content, fields) => {
  expect(checkContent(connectors[name], aContent(content)).map(({ field }) => field)).toEqual(fields);
});

test.each(Object.entries(connectors))('the checks of %s use the options that it sends', (name, connector) => {
  const { limits, check, accountKind, options, capabilities } = platformRules[name as Name] ?? {};
  expect({ limits, check, accountKind, options }).toEqual({
    limits: connector.limits,
    check: connector.check,
    accountKind: connector.accountKind,
    options: connector.options,
  });
  expect(capabilities).toEqual(capabilitiesIn(connector.oauth.features));
  // Each can be given, and left to the account.
  expect(Object.keys(connector.options.shape)).toEqual(expect.arrayContaining([...(connector.limits.needsOptions ?? [])]));
  expect(connector.options.safeParse({}).success).toBe(true);
});
