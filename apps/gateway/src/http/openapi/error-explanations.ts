import type { ErrorCode } from '@fanfare/errors';
import { EXAMPLE_IDS } from './example-ids.ts';

/** Explains an error: on the page that `type` links to, and in the API's description. */
interface ErrorExplanation {
  readonly meaning: string;
  readonly causes: readonly string[];
  readonly remedy: string;
  /** Members of the example's body besides those that every problem has. */
  readonly example: Readonly<Record<string, unknown>> & { readonly detail: string; readonly instance: string };
}

const BUSINESS = `/api/businesses/${EXAMPLE_IDS.business_id}`;

export const ERROR_EXPLANATIONS: Readonly<Record<ErrorCode, ErrorExplanation>> = {
  missing_field: {
    meaning: 'A required field is missing. "param" names it.',
    causes: [
      'The body lacks a required field.',
      'The status is SCHEDULED, and scheduled_publish_time is missing.',
      'A signed-in user belongs to several organizations and did not send organization_id.',
    ],
    remedy: 'Send the field that "param" names. Repeating the same request fails again.',
    example: {
      detail: 'scheduled_publish_time is required with status SCHEDULED.',
      instance: `${BUSINESS}/posts`,
      param: 'scheduled_publish_time',
    },
  },
  invalid_value: {
    meaning: 'A value is malformed, or refers to something that does not exist or is not yours. "param" names the field.',
    causes: [
      'An id in the path is not a UUID.',
      'The body refers to media or a connected account that does not exist or belongs to another business.',
      'A query parameter is out of range, or is sent twice.',
    ],
    remedy: 'Correct the value that "param" names.',
    example: { detail: 'business_id is not a UUID.', instance: '/api/businesses/my-bakery/posts', param: 'business_id' },
  },
  invalid_request: {
    meaning: 'The request is malformed, or cannot be processed as it is.',
    causes: [
      'The body is not valid JSON.',
      'A PATCH contains no fields.',
      'A time must be in the future and is not, or a date, period or cursor is not valid for this list.',
    ],
    remedy: 'Read "detail" and correct the request. A cursor is valid only for the list, filter and order that returned it.',
    example: {
      detail: 'scheduled_publish_time must be in the future.',
      instance: `${BUSINESS}/posts`,
      param: 'scheduled_publish_time',
    },
  },
  validation_failed: {
    meaning: 'The body or the query string is not valid for this operation. "errors" lists every problem; "param" names the first.',
    causes: [
      'A field has the wrong type, is out of range, or is too long.',
      'A field does not exist: it is misspelled, or it was renamed, as publish_to was to restrict_publish_to.',
      'The operation does not have this query parameter.',
    ],
    remedy: 'Fix each entry in "errors": it has the dotted path of a field and the problem with it.',
    example: {
      detail: 'Unknown field "publish_to". (2 problems in all, listed in "errors".)',
      instance: `${BUSINESS}/posts`,
      param: 'publish_to',
      errors: [
        { param: 'publish_to', code: 'validation_failed', detail: 'Unknown field "publish_to".' },
        {
          param: 'platform_overrides.0.caption',
          code: 'validation_failed',
          detail: 'platform_overrides.0.caption: Invalid input: expected string, received number',
        },
      ],
    },
  },
  authentication_required: {
    meaning: 'The credential is missing, invalid, expired or revoked.',
    causes: [
      'The "Authorization: Bearer …" header is missing or malformed.',
      'The API key was revoked or rotated, or has expired.',
      'The access token of a signed-in user has expired.',
    ],
    remedy:
      'Send "Authorization: Bearer fk_…" with an API key of your organization. For a signed-in user, refresh the access token or sign in again.',
    example: { detail: 'This is not a valid API key or access token, or it has expired or was revoked.', instance: '/api/businesses' },
  },
  SOCIAL_TOKEN_EXPIRED: {
    meaning: 'The platform no longer accepts our access to the connected account. A person needs to reconnect it.',
    causes: [
      'Someone changed the password of the account, or revoked the permission.',
      'The permission expired. Some platforms end it after a few months.',
    ],
    remedy: 'Open "reconnect_url" in a browser and reconnect the account.',
    example: {
      detail: 'Reconnect the account.',
      instance: `${BUSINESS}/integrations/${EXAMPLE_IDS.integration_id}/stats`,
      reconnect_url: `https://app.example.com/businesses/${EXAMPLE_IDS.business_id}/integrations/${EXAMPLE_IDS.integration_id}/reconnect`,
    },
  },
  permission_denied: {
    meaning: 'The credential is valid but does not have permission for this request.',
    causes: [
      'The business belongs to another organization.',
      "The organization's plan does not include API access.",
      'The organization is suspended, or the user is disabled.',
      'The operation requires a higher role, or is for signed-in users and not for API keys.',
    ],
    remedy:
      'Use an API key of the organization that owns the business, or ask an owner of the organization for the role. To lift a suspension, contact the operator of the service.',
    example: { detail: 'This business belongs to another organization.', instance: `${BUSINESS}/posts`, param: 'business_id' },
  },
  resource_not_found: {
    meaning: 'The resource does not exist, or does not belong to this business.',
    causes: ['The resource was deleted.', 'The id belongs to another business or another type of resource.', 'The path is misspelled.'],
    remedy: 'List the collection to see its resources. Fetch all pages before you conclude that a resource does not exist.',
    example: { detail: 'Post not found.', instance: `${BUSINESS}/posts/${EXAMPLE_IDS.post_id}` },
  },
  method_not_allowed: {
    meaning: 'The path does not support this HTTP method.',
    causes: ['PUT instead of PATCH.', 'POST to a single resource.'],
    remedy: 'The "Allow" header lists the methods that the path supports.',
    example: { detail: 'This path supports GET, HEAD.', instance: '/api/health' },
  },
  conflict: {
    meaning: 'The request is valid, but the current state of the resource does not allow it. Nothing was changed.',
    causes: [
      'The post is being published, is already published, or is not scheduled.',
      'Every target account has the post already, or may have it ("unknown_outcome").',
      'No account that the request selects has the post for certain, so there is nothing to unpublish.',
      'A post still needs the media, or the media is not ready yet.',
      'The account is disconnected, the key has expired, or the member is the last owner.',
      'The business or the organization is being deleted: it can be read and restored, but not changed.',
    ],
    remedy: 'Read "detail" and the resource. Change the state first, or retry when it has changed.',
    example: {
      detail: 'This post is being published. Change it when every publish result is success or failed.',
      instance: `${BUSINESS}/posts/${EXAMPLE_IDS.post_id}`,
    },
  },
  upload_conflict: {
    meaning: 'The part does not start at the current offset of the resumable upload, or another part is being written.',
    causes: ['The connection broke after some of the bytes had arrived.', 'Two processes send the same upload.'],
    remedy: 'Get the offset with HEAD and send the rest from there. tus clients do this automatically.',
    example: {
      detail: 'The upload is at offset 1048576.',
      instance: '/api/media/uploads/0197f3a0-5c1e-7d2b-9a44-2f6f0c8e1b11.0197f3a0-77aa-7b10-8c11-52d0a9b7c001',
      param: 'Upload-Offset',
    },
  },
  precondition_failed: {
    meaning: 'The resource has changed since you read it: no tag in "If-Match" is the current one. Nothing was changed.',
    causes: ['Someone else edited it in the meantime.', 'The tag belongs to another resource, or is a weak tag.'],
    remedy: 'Read the resource again, apply your change to the new version, and send its ETag in "If-Match".',
    example: {
      detail: 'The resource has changed since you read it. Read it again and retry with its current ETag.',
      instance: `${BUSINESS}/topics/${EXAMPLE_IDS.topic_id}`,
    },
  },
  payload_too_large: {
    meaning: 'The request body exceeds the limit of this operation.',
    causes: ['JSON of more than 1 MiB, or text of more than 8 MiB.', 'A file larger than the upload limit.'],
    remedy: 'Upload images and videos as media and refer to them by id.',
    example: { detail: 'A JSON body can have at most 1 MiB.', instance: `${BUSINESS}/posts` },
  },
  unsupported_media_type: {
    meaning: 'The operation does not accept a body of this type.',
    causes: [
      'The "Content-Type" header is missing or is not application/json.',
      'The charset is not UTF-8, or the content encoding is not supported.',
    ],
    remedy: 'Send "Content-Type: application/json"; for uploads "multipart/form-data".',
    example: { detail: 'Send the body with "Content-Type: application/json".', instance: `${BUSINESS}/posts` },
  },
  IDEMPOTENCY_KEY_CONFLICT: {
    meaning: 'The Idempotency-Key was used for a different request in the last 24 hours. Nothing was done.',
    causes: ['The key is not unique enough, such as the time of day.', 'The key was reused after the body had changed.'],
    remedy: 'Use a new key, such as a UUID, for every new request. Reuse a key only to retry the same request.',
    example: { detail: 'This Idempotency-Key was used before with a different request.', instance: `${BUSINESS}/posts` },
  },
  rate_limit_exceeded: {
    meaning: 'You sent too many requests in a time window, or the monthly quota is used up.',
    causes: [
      'The requests in a minute, day or week exceed the limit of the plan for one API key ("limit_of" is "key") or for all keys of the organization ("organization").',
      'A loop polls without a delay.',
      'Too many sign-in attempts, or too many requests for emails or invitations ("window" is "sign_in", "mail" or "invitation"): each one makes the wait longer.',
      'Three exports of the organization were begun in 24 hours ("window" is "export").',
    ],
    remedy:
      'Wait for the number of seconds in "Retry-After". "window" names the limit that you reached. Every response carries RateLimit-Remaining and RateLimit-Reset, so you can slow down in time.',
    example: {
      detail: 'You have reached the limit of 100 requests per minute. It resets at 2026-08-06T09:31:00.000Z.',
      instance: '/api/businesses',
      window: 'minute',
      limit_of: 'key',
    },
  },
  UPSTREAM_PROVIDER_ERROR: {
    meaning: 'A social platform returned an error or did not respond; for generation, the language model did.',
    causes: ['The platform is down or limits our requests.', 'The platform rejects the request.'],
    remedy: 'Try again later.',
    example: {
      detail: 'The platform returned an unexpected response.',
      instance: `${BUSINESS}/integrations/${EXAMPLE_IDS.integration_id}/posts`,
    },
  },
  internal_error: {
    meaning: 'Something went wrong on our side.',
    causes: ['A part of the service is temporarily unavailable.', 'A bug in Fanfare.'],
    remedy:
      'Retry, after "Retry-After" if it is present. With the same Idempotency-Key nothing happens twice. If the error persists, contact us with the "request_id".',
    example: {
      detail: 'Something went wrong on our side. Try again. If the error persists, contact us with the request_id.',
      instance: `${BUSINESS}/posts`,
    },
  },
};
