import type { ErrorCode } from '@fanfare/errors';
import { EXAMPLE_IDS } from './example-ids.ts';

/** An error in words: for its page, which `type` points to, and for the API's description. */
export interface ErrorExplanation {
  readonly meaning: string;
  readonly causes: readonly string[];
  readonly remedy: string;
  /** Members of an example's body beyond those that every problem has. */
  readonly example: Readonly<Record<string, unknown>> & { readonly detail: string; readonly instance: string };
}

const BUSINESS = `/api/businesses/${EXAMPLE_IDS.business_id}`;

export const ERROR_EXPLANATIONS: Readonly<Record<ErrorCode, ErrorExplanation>> = {
  missing_field: {
    meaning: 'Something that this operation needs was not sent. "param" names it.',
    causes: [
      'A required field of the body was left out.',
      'The status SCHEDULED without scheduled_publish_time.',
      'A signed-in user of several organizations did not name one by organization_id.',
    ],
    remedy: 'Send the field that "param" names. Repeating the request unchanged will fail in the same way.',
    example: {
      detail: 'scheduled_publish_time is required with status SCHEDULED.',
      instance: `${BUSINESS}/posts`,
      param: 'scheduled_publish_time',
    },
  },
  invalid_value: {
    meaning: 'A value is malformed or names nothing that is yours. "param" names it.',
    causes: [
      'An id in the path is no UUID.',
      'A media id or a connected account in the body is unknown, or belongs to another business.',
      'A query parameter is out of its range, or was given twice.',
    ],
    remedy: 'Correct the value that "param" names.',
    example: { detail: 'business_id is not a UUID.', instance: '/api/businesses/my-bakery/posts', param: 'business_id' },
  },
  invalid_request: {
    meaning: 'The request is understood, but cannot be carried out as it is.',
    causes: [
      'The body is no JSON.',
      'A PATCH that names no field.',
      'A time that has to be in the future is not, or a date, a period or a cursor is none that this list takes.',
    ],
    remedy: 'Read "detail", and correct the request. A cursor is only good for the list, the filter and the order that gave it out.',
    example: {
      detail: 'scheduled_publish_time must be in the future.',
      instance: `${BUSINESS}/posts`,
      param: 'scheduled_publish_time',
    },
  },
  validation_failed: {
    meaning: 'The body or the query does not fit this operation. "errors" lists every problem, "param" names the first.',
    causes: [
      'A field of the wrong type, out of its range, or too long.',
      'A field that does not exist: a misspelling, or publish_to, which is restrict_publish_to now.',
      'A query parameter that this operation does not have.',
    ],
    remedy: 'Go through "errors": each entry has the dotted path of a field and what is wrong with it.',
    example: {
      detail: 'There is no field "publish_to". (2 problems in all, listed in "errors".)',
      instance: `${BUSINESS}/posts`,
      param: 'publish_to',
      errors: [
        { param: 'publish_to', code: 'validation_failed', detail: 'There is no field "publish_to".' },
        {
          param: 'platform_overrides.0.caption',
          code: 'validation_failed',
          detail: 'platform_overrides.0.caption: Invalid input: expected string, received number',
        },
      ],
    },
  },
  authentication_required: {
    meaning: 'There is no valid credential: none was sent, it is wrong, it has expired, or it was revoked.',
    causes: [
      'The header "Authorization: Bearer …" is missing or misspelled.',
      'The API key was revoked, rotated, or has expired.',
      'The access token of a signed-in user has expired.',
    ],
    remedy: 'Send "Authorization: Bearer fk_…" with a key of your organization. A signed-in user refreshes the token, or signs in again.',
    example: { detail: 'This is not a valid API key or access token, or it has expired or was revoked.', instance: '/api/businesses' },
  },
  SOCIAL_TOKEN_EXPIRED: {
    meaning: 'The connected account has to be connected again, by a person: its platform no longer lets us in.',
    causes: [
      'Somebody changed the password of the account, or took the permission back.',
      'The platform ended the permission, as some do after months.',
    ],
    remedy: 'Open "reconnect_url" in a browser and connect the account again.',
    example: {
      detail: 'The account has to be connected again.',
      instance: `${BUSINESS}/integrations/${EXAMPLE_IDS.integration_id}/stats`,
      reconnect_url: `https://app.example.com/businesses/${EXAMPLE_IDS.business_id}/integrations/${EXAMPLE_IDS.integration_id}/reconnect`,
    },
  },
  permission_denied: {
    meaning: 'The credential is valid, but does not allow this.',
    causes: [
      'The business belongs to another organization.',
      "The organization's plan has no API access.",
      'The organization is suspended, or the account that signs in is disabled.',
      'The operation takes a higher role, or is for signed-in users and not for API keys.',
    ],
    remedy:
      'Use a key of the organization that owns the business, or ask an owner of the organization for the role. A suspension is for the operators of the service to end.',
    example: { detail: 'This business belongs to another organization.', instance: `${BUSINESS}/posts`, param: 'business_id' },
  },
  resource_not_found: {
    meaning: 'There is no resource with that id, or it does not belong to this business.',
    causes: ['The resource was deleted.', 'The id is of another business, or of another kind of resource.', 'The path is misspelled.'],
    remedy: 'List the collection to see what there is. Page to its end before you conclude that something does not exist.',
    example: { detail: 'There is no such post.', instance: `${BUSINESS}/posts/${EXAMPLE_IDS.post_id}` },
  },
  method_not_allowed: {
    meaning: 'The path exists, but not with this method.',
    causes: ['PUT where PATCH is meant.', 'A POST to a single resource.'],
    remedy: 'The header "Allow" lists the methods that the path has.',
    example: { detail: 'This path answers to GET, HEAD.', instance: '/api/health' },
  },
  conflict: {
    meaning: 'The request is fine, but the resource is in a state that does not allow it. Nothing was written.',
    causes: [
      'The post is being sent, is published, or is not scheduled.',
      'Every account that the post goes to has it already, or may have it ("unknown_outcome").',
      'The media is still needed by a post, or is not ready yet.',
      'The account is disconnected, the key has expired, or the member is the last owner.',
    ],
    remedy: 'Read "detail" and the resource. Repeat the request when the state has changed, or change the state first.',
    example: {
      detail: 'This post is being sent: it can be changed again when every publish result is terminal.',
      instance: `${BUSINESS}/posts/${EXAMPLE_IDS.post_id}`,
    },
  },
  upload_conflict: {
    meaning: 'A part of a resumable upload does not follow on what has arrived, or another part is being written at this moment.',
    causes: ['The connection broke, and some of what was sent arrived all the same.', 'Two processes send the same upload.'],
    remedy: 'Ask for the offset (HEAD) and send the rest from there. Clients of the tus protocol do so by themselves.',
    example: {
      detail: 'The upload is at offset 1048576.',
      instance: '/api/media/uploads/0197f3a0-5c1e-7d2b-9a44-2f6f0c8e1b11.0197f3a0-77aa-7b10-8c11-52d0a9b7c001',
      param: 'Upload-Offset',
    },
  },
  precondition_failed: {
    meaning: 'The resource has changed since it was read: none of the tags in "If-Match" is its current one. Nothing was written.',
    causes: ['Somebody else edited it in the meantime.', 'The tag is of another resource, or is a weak one.'],
    remedy: 'Read the resource again, apply your change to what it is now, and send the new ETag in "If-Match".',
    example: { detail: 'The topic has changed since it was read.', instance: `${BUSINESS}/topics/${EXAMPLE_IDS.topic_id}` },
  },
  payload_too_large: {
    meaning: 'The body is larger than this operation takes.',
    causes: ['More than 1 MiB of JSON, or a text of more than 8 MiB.', 'A file that is larger than the upload takes.'],
    remedy: 'Send pictures and videos as media, and refer to them by id.',
    example: { detail: 'A JSON body has at most 1 MiB.', instance: `${BUSINESS}/posts` },
  },
  unsupported_media_type: {
    meaning: 'This operation reads bodies of another type.',
    causes: [
      'The header "Content-Type" is missing, or is not application/json.',
      'A charset other than UTF-8, or an encoding that is not read here.',
    ],
    remedy: 'Send "Content-Type: application/json"; for uploads "multipart/form-data".',
    example: { detail: 'Send the body with "Content-Type: application/json".', instance: `${BUSINESS}/posts` },
  },
  IDEMPOTENCY_KEY_CONFLICT: {
    meaning: 'The Idempotency-Key was used for another request in the last 24 hours. Nothing was done.',
    causes: ['A key that is made of too little, such as the time of day.', 'A key that is used again after the body was changed.'],
    remedy: 'Use a new key, such as a UUID, for every new request, and the same one only to repeat it unchanged.',
    example: { detail: 'This Idempotency-Key was used with another body.', instance: `${BUSINESS}/posts` },
  },
  rate_limit_exceeded: {
    meaning: 'Too many requests in a window of time, or the monthly quota is used up.',
    causes: [
      'More requests in a minute, a day or a week than the plan has for a key ("limit_of" is key), or for all keys of the organization together (organization).',
      'A loop that polls without a pause.',
      'Too many tries to sign in, or requests for mails or invitations: each costs a longer wait ("window" is sign_in, mail or invitation).',
    ],
    remedy:
      'Wait as many seconds as "Retry-After" says. "window" names the window that was hit; the headers RateLimit-Remaining and RateLimit-Reset on every answer let you slow down before.',
    example: {
      detail: 'The limit of 100 requests per minute is reached; it resets at 2026-08-06T09:31:00.000Z.',
      instance: '/api/businesses',
      window: 'minute',
      limit_of: 'key',
    },
  },
  UPSTREAM_PROVIDER_ERROR: {
    meaning: 'The social platform answered with an error, or not at all.',
    causes: ['The platform is down, or throttles.', 'The platform refuses what was asked for.'],
    remedy: 'Try again later.',
    example: {
      detail: 'The platform did not answer as expected.',
      instance: `${BUSINESS}/integrations/${EXAMPLE_IDS.integration_id}/posts`,
    },
  },
  internal_error: {
    meaning: 'Something failed on our side.',
    causes: ['A part of the service is away for a moment.', 'A mistake of ours.'],
    remedy:
      'Try again, after "Retry-After" where it is there; with the same Idempotency-Key nothing happens twice. When it goes on failing, quote "request_id".',
    example: {
      detail: 'Something failed on our side. Try again, or quote the request id when it goes on failing.',
      instance: `${BUSINESS}/posts`,
    },
  },
};
