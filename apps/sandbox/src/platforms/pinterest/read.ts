import { json, type Reply } from '../../wire/reply.ts';
import { dayCountsOf, daysBetween, followersOf, sumOf } from '../../world/statistics.ts';
import { livePostsOf } from '../../world/post.ts';
import type { World } from '../../world/world.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { boardOf } from './board-of.ts';
import { invalidRequest, pinNotFound, sectionNotFound } from './errors.ts';
import { pageOf } from './page-of.ts';
import { pinNode } from './pin-node.ts';
import { pinterestOperation, type PinterestCall } from './pinterest-operation.ts';
import { boards, type Board } from './state.ts';

const MONTH_MS = 30 * 24 * 3600_000;
const paging = ['page_size', 'bookmark'];
const pinScopes = ['boards:read', 'pins:read'];

const read = (name: string, path: string, scopes: string[], query: string[], handle: (call: PinterestCall, sandbox: Sandbox) => Reply) =>
  pinterestOperation({ name: `pinterest.${name}`, method: 'GET', path, scopes, rate: 'org_read', query, handle });

export const readOperations: Operation[] = [
  read('get_user_account', '/v5/user_account', ['user_accounts:read'], [], getUserAccount),
  read('list_boards', '/v5/boards', ['boards:read'], [...paging, 'privacy'], listBoards),
  read('get_board', '/v5/boards/{board_id}', ['boards:read'], [], (call, { world }) =>
    json(200, boardNode(world, boardOf(call, world, call.params['board_id']!))),
  ),
  read('list_board_sections', '/v5/boards/{board_id}/sections', ['boards:read'], paging, (call, { world }) =>
    pageOf(call, boardOf(call, world, call.params['board_id']!).sections, (section) => section),
  ),
  read('list_board_pins', '/v5/boards/{board_id}/pins', pinScopes, [...paging, 'pin_metrics'], listPins),
  read('list_section_pins', '/v5/boards/{board_id}/sections/{section_id}/pins', pinScopes, paging, listPins),
  read('list_pins', '/v5/pins', pinScopes, [...paging, 'pin_metrics', 'pin_filter'], listPins),
  read('get_pin', '/v5/pins/{pin_id}', pinScopes, ['pin_metrics'], getPin),
];

function getUserAccount({ user }: PinterestCall, { world }: Sandbox): Reply {
  const pins = livePostsOf(world, user.id);
  const month = daysBetween(world, world.now() - MONTH_MS, world.now());
  return json(200, {
    id: user.id,
    username: user.username,
    business_name: user.name,
    account_type: 'BUSINESS',
    about: '',
    profile_image: `https://i.pinimg.com/600x600_R/${user.id}.jpg`,
    website_url: '',
    follower_count: followersOf(world, user),
    following_count: 21,
    pin_count: pins.length,
    board_count: boardsOf(world, user.id).length,
    monthly_views: sumOf(
      month.map((day) => dayCountsOf(world, user, day)),
      'impressions',
    ),
  });
}

function listBoards(call: PinterestCall, { world }: Sandbox): Reply {
  const privacy = call.query.get('privacy') ?? 'ALL';
  if (!['ALL', 'PUBLIC', 'PROTECTED', 'SECRET', 'PUBLIC_AND_SECRET'].includes(privacy))
    throw invalidRequest(`'privacy': '${privacy}' is not known`);
  const shown = privacy === 'PROTECTED' || privacy === 'SECRET' ? [] : boardsOf(world, call.user.id);
  return pageOf(call, shown, (board) => boardNode(world, board));
}

/** Pins of the account, of a board, or of a section; newest first. */
function listPins(call: PinterestCall, { world }: Sandbox): Reply {
  const { board_id, section_id } = call.params;
  const withMetrics = wantsMetrics(call);
  const board = board_id === undefined ? null : boardOf(call, world, board_id);
  if (section_id !== undefined && !board?.sections.some((one) => one.id === section_id)) throw sectionNotFound();
  const pins = livePostsOf(world, call.user.id).filter(
    ({ details }) =>
      (board === null || details['board_id'] === board.id) && (section_id === undefined || details['board_section_id'] === section_id),
  );
  return pageOf(call, pins, (pin) => pinNode(world, pin, withMetrics));
}

function getPin(call: PinterestCall, { world }: Sandbox): Reply {
  const withMetrics = wantsMetrics(call);
  const pin = world.posts.get(call.params['pin_id']!);
  if (pin?.platform !== 'pinterest' || pin.account_id !== call.user.id) throw pinNotFound();
  return json(200, pinNode(world, pin, withMetrics));
}

function wantsMetrics({ query }: PinterestCall): boolean {
  const requested = query.get('pin_metrics') ?? 'false';
  if (requested !== 'true' && requested !== 'false') throw invalidRequest(`'pin_metrics': '${requested}' is not of type 'boolean'`);
  return requested === 'true';
}

const boardsOf = (world: World, ownerId: string) => [...boards(world).values()].filter((board) => board.owner_id === ownerId);

function boardNode(world: World, { id, owner_id, name, created_at }: Board): Record<string, unknown> {
  const pins = livePostsOf(world, owner_id).filter(({ details }) => details['board_id'] === id);
  return {
    id,
    name,
    description: '',
    created_at: created_at.slice(0, 19),
    board_pins_modified_at: (pins[0]?.created_at ?? created_at).slice(0, 19),
    owner: { username: world.accounts.get(owner_id)?.username },
    privacy: 'PUBLIC',
    pin_count: pins.length,
    follower_count: 0,
    collaborator_count: 0,
    is_ads_only: false,
  };
}
