import type { MisfirePolicy, PublishStrategy } from '@fanfare/contracts/content';
import type { PostDocument } from '../../posts/post.ts';
import { withField } from '../../posts/with-field.ts';

/** The post with a policy, or with that of its business if the value is UNSPECIFIED. */
export const withMisfirePolicy = (post: PostDocument, policy: MisfirePolicy): PostDocument =>
  withField(post, 'misfire_policy', policy === 'MISFIRE_POLICY_UNSPECIFIED' ? undefined : policy);

/** Independent targets are the default, which is not stored. */
export const withStrategy = (post: PostDocument, strategy: PublishStrategy): PostDocument =>
  withField(
    post,
    'strategy',
    strategy === 'PUBLISH_STRATEGY_PRIMARY_FIRST' || strategy === 'PUBLISH_STRATEGY_ALL_OR_NOTHING' ? strategy : undefined,
  );
