import type { ErrorCode } from '@fanfare/errors';

/** What went wrong and what to do about it, for the pages that `type` points to and for the API's description. */
export const ERROR_EXPLANATIONS = {
  missing_field: 'Something that this operation needs was not sent. "param" names it.',
  invalid_value: 'A value is malformed or names nothing: an id that is no UUID, a media id of another business. "param" names it.',
  invalid_request:
    'The request cannot be carried out as it is: the JSON is malformed, a time lies in the past, a cursor is not one that this list gave out, or the resource is not in a state that allows it.',
  validation_failed:
    'The body or the query does not fit this operation: wrong types, values out of range, unknown fields. "errors" lists every problem.',
  authentication_required: 'Send an API key that is neither wrong nor revoked, as "Authorization: Bearer fk_…".',
  SOCIAL_TOKEN_EXPIRED: 'The connected account has to be connected again, by a person. "reconnect_url" leads there.',
  permission_denied: "The organization's plan has no API access, or the resource belongs to another organization.",
  resource_not_found: 'There is no resource with that id, or it does not belong to this business.',
  method_not_allowed: 'The path exists, but not with this method. The header "Allow" lists those that it has.',
  precondition_failed: 'The resource has changed since it was read. Read it again, and send "If-Match" with the new ETag.',
  payload_too_large: 'The body is larger than this operation takes: 1 MiB of JSON.',
  unsupported_media_type: 'This operation reads bodies of another type. Most take "Content-Type: application/json".',
  IDEMPOTENCY_KEY_CONFLICT: 'The Idempotency-Key was used with another body in the last 24 hours. Use a new key for a new request.',
  rate_limit_exceeded:
    'Too many requests in a window, or the monthly quota is used up. "Retry-After" says in how many seconds to try again.',
  UPSTREAM_PROVIDER_ERROR: 'The social platform answered with an error, or not at all. Trying again later may help.',
  internal_error: 'Something failed on our side. Trying again may help; "Retry-After" says when, where that is known.',
} as const satisfies Record<ErrorCode, string>;
