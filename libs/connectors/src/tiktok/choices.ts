import type { Connector, ListChoices } from '../connector.ts';
import { listAt } from '../calls/fields.ts';
import { tiktokCall } from './tiktok-call.ts';

const LABELS: Readonly<Record<string, string>> = {
  PUBLIC_TO_EVERYONE: 'Everyone',
  MUTUAL_FOLLOW_FRIENDS: 'Friends',
  FOLLOWER_OF_CREATOR: 'Followers',
  SELF_ONLY: 'Only you',
};

/** The privacy levels that TikTok offers this account, which depend on whether it is private. */
const listPrivacyLevels: ListChoices = async (call) => {
  const { json } = await tiktokCall(call, { path: '/post/publish/creator_info/query/' });
  const offered = listAt(json, 'data', 'privacy_level_options').filter((value) => typeof value === 'string');
  return { items: offered.map((value) => ({ value, label: LABELS[value] ?? value })) };
};

export const choices = { privacy_level: listPrivacyLevels } satisfies Connector['choices'];
