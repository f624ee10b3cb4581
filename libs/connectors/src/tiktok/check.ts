import { unsupported, type CheckCombination } from '../checks/check-content.ts';
import { isDraft, options } from './options.ts';

/** The cover's frame, and options that depend on the content. Media behind URLs are not known yet. */
export const check: CheckCombination = (content) => {
  const { media, options: given, videoCoverTimestampMs = 0 } = content;
  const [video] = media.filter(({ type }) => type === 'video');
  if (video?.durationMs !== undefined && videoCoverTimestampMs > video.durationMs)
    return [unsupported('video_cover_timestamp_ms', 'The cover frame is past the end of the video.')];
  const chosen = options.safeParse(given ?? {}).data;
  if (!chosen) return [];
  const { photo_cover_index = 0, disclose_ai_generated = false, disclose_branded_content = false, privacy_level } = chosen;
  const isHidden = disclose_branded_content && privacy_level === 'SELF_ONLY' && !isDraft(content);
  const branded = isHidden ? [unsupported('options.disclose_branded_content', NOT_FOR_ONESELF)] : [];
  if (media.length === 0 || video) return branded;
  return [
    ...branded,
    ...(photo_cover_index < media.length ? [] : [unsupported('options.photo_cover_index', `The post has only ${media.length} photos.`)]),
    ...(disclose_ai_generated && !isDraft(content)
      ? [unsupported('options.disclose_ai_generated', 'TikTok accepts this label for videos only.')]
      : []),
  ];
};

/** TikTok's content sharing guidelines: "Branded content visibility cannot be set to private." */
const NOT_FOR_ONESELF = 'Branded content cannot be private. Choose a privacy_level other than SELF_ONLY.';
