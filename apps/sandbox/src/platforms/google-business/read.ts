import { json, type Reply } from '../../wire/reply.ts';
import { postState, type Post } from '../../world/post.ts';
import type { Account, World } from '../../world/world.ts';
import { invalidArgument } from '../google/errors.ts';
import type { GoogleCall } from '../google/google-operation.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { closedLocation, numberOf, owner } from './accounts.ts';
import { businessOperation, locationByNumber, locationOf } from './business-operation.ts';
import { entityNotFound } from './errors.ts';
import { hosts, limits, locationFields } from './limits.ts';
import { pageOf } from './page-of.ts';

const paging = ['pageSize', 'pageToken'];
const parent = '/v4/accounts/{account}/locations/{location}/localPosts';

export const readOperations: Operation[] = [
  businessOperation({
    name: 'google_business.list_accounts',
    hosts: [hosts.accounts],
    method: 'GET',
    path: '/v1/accounts',
    query: [...paging, 'parentAccount', 'filter'],
    handle: listAccounts,
  }),
  businessOperation({
    name: 'google_business.list_locations',
    hosts: [hosts.locations],
    method: 'GET',
    path: '/v1/accounts/{account}/locations',
    query: [...paging, 'filter', 'orderBy', 'readMask'],
    handle: listLocations,
  }),
  businessOperation({
    name: 'google_business.get_location',
    hosts: [hosts.locations],
    method: 'GET',
    path: '/v1/locations/{location}',
    query: ['readMask'],
    handle: getLocation,
  }),
  businessOperation({
    name: 'google_business.list_posts',
    hosts: [hosts.posts],
    method: 'GET',
    path: parent,
    query: paging,
    handle: listPosts,
  }),
  businessOperation({ name: 'google_business.get_post', hosts: [hosts.posts], method: 'GET', path: `${parent}/{post}`, handle: getPost }),
];

/** The post as Google returns it: its URL is present after the review. */
export function postNode(world: World, post: Post): Record<string, unknown> {
  const state = { live: 'LIVE', failed: 'REJECTED', processing: 'PROCESSING', unpublished: 'PROCESSING' }[postState(post, world.now())];
  const { languageCode, summary, topicType, callToAction, event, offer } = post.details;
  const media = post.media_ids.map((id) => ({
    name: `${post.account_id}/media/localPosts/${id}`,
    mediaFormat: 'PHOTO',
    googleUrl: `https://lh3.googleusercontent.com/p/${id}`,
  }));
  return {
    name: post.id,
    languageCode,
    summary,
    callToAction,
    state,
    event,
    offer,
    ...(media.length && { media }),
    ...(state === 'LIVE' && { searchUrl: post.url }),
    createTime: post.created_at,
    updateTime: post.created_at,
    topicType,
  };
}

function listAccounts(call: GoogleCall): Reply {
  const [first] = call.accounts;
  const rows = [{ name: owner, accountName: first.name, type: 'PERSONAL', verificationState: 'UNVERIFIED', vettedState: 'NOT_VETTED' }];
  const { rows: accounts, more } = pageOf(call, rows, ({ name }) => name, limits.pages.accounts);
  return json(200, { accounts, ...more });
}

function listLocations(call: GoogleCall): Reply {
  if (`accounts/${call.params['account']}` !== owner) throw entityNotFound();
  const shown = maskOf(call);
  const rows = [...call.accounts.map(locationNode), closedNode];
  const { rows: locations, more } = pageOf(call, rows, ({ name }) => name, limits.pages.locations);
  return json(200, { locations: locations.map(shown), ...more, totalSize: rows.length });
}

function getLocation(call: GoogleCall, { world }: Sandbox): Reply {
  const shown = maskOf(call);
  return json(200, shown(locationNode(locationByNumber(call, world))));
}

/** In any state: their owner also sees posts under review and rejected ones. */
function listPosts(call: GoogleCall, { world }: Sandbox): Reply {
  const location = locationOf(call, world);
  const rows = [...world.posts.values()].filter(({ account_id }) => account_id === location.id).reverse();
  const { rows: posts, more } = pageOf(call, rows, ({ id }) => id, limits.pages.posts);
  return json(200, posts.length ? { localPosts: posts.map((post) => postNode(world, post)), ...more } : {});
}

function getPost(call: GoogleCall, { world }: Sandbox): Reply {
  const post = world.posts.get(`${locationOf(call, world).id}/localPosts/${call.params['post']}`);
  if (!post) throw entityNotFound();
  return json(200, postNode(world, post));
}

/** Only the fields that `readMask` names; it is required. */
function maskOf({ query }: GoogleCall): (node: Record<string, unknown>) => Record<string, unknown> {
  const requested = query.get('readMask')?.split(',') ?? [];
  if (requested.length === 0) throw invalidArgument([{ field: 'read_mask', description: 'Field is required' }]);
  const unknown = requested.filter((path) => !locationFields.includes(path.split('.')[0]!));
  if (unknown.length) throw invalidArgument([{ field: 'read_mask', description: `Invalid field mask provided: ${unknown.join(',')}` }]);
  const names = requested.map((path) => path.split('.')[0]!);
  return (node) => Object.fromEntries(Object.entries(node).filter(([name]) => names.includes(name)));
}

function locationNode({ id, name, username }: Account) {
  const number = numberOf(id);
  return {
    name: `locations/${number}`,
    title: name,
    storeCode: username,
    websiteUri: 'https://example.com/',
    metadata: {
      canDelete: true,
      canOperateLocalPost: true,
      hasVoiceOfMerchant: true,
      placeId: `ChIJ${number}`,
      mapsUri: `https://${hosts.maps}/maps?cid=${number}`,
      newReviewUri: `https://search.google.com/local/writereview?placeid=ChIJ${number}`,
    },
  };
}

/** Google omits false values. */
const closedNode = { ...closedLocation, metadata: { canDelete: true } };
