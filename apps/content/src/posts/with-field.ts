import type { PostDocument } from './post.ts';

/** The post with a field set, or removed if the value is undefined. */
export function withField<K extends keyof PostDocument>(post: PostDocument, field: K, value: PostDocument[K] | undefined): PostDocument {
  const { [field]: _before, ...rest } = post;
  return (value === undefined ? rest : { ...rest, [field]: value }) as PostDocument;
}
