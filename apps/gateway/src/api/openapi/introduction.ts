import { FLOOR_VERSION, VERSIONS } from '@fanfare/resources';
import { DESCRIBED_BASE_URL } from '../../http/openapi/described-base-url.ts';
import { CHANGELOG } from './changelog.ts';
import { QUICKSTART } from './quickstart.ts';

/** The introduction of the description and the docs page, in Markdown. */
export const INTRODUCTION = `
Create posts and publish them to the connected social accounts of a business, then read back what happened. The API is JSON over HTTP.

All resources of a business are under \`/api/businesses/{business_id}\`. Start with \`GET /api/businesses\` to find its id.

## Quickstart

${QUICKSTART}

## Authentication

Send \`Authorization: Bearer fk_…\`. An API key belongs to one organization and has full access to everything in it, except operations that are
for people only: each operation says whether API keys can call it. Signed-in users send an access token the same way, and their role in the
organization decides what they can do. If you belong to several organizations, name one with \`organization_id\` wherever an operation has that parameter.

Keep keys secret. Rotate a key with \`POST /api/keys/{key_id}/rotate\` and delete it when you no longer need it.

A valid credential is cached for 3 seconds. So a revoked key, an ended session, or a changed role or plan takes effect everywhere within
5 seconds. Changes that only owners, admins and keys can make (keys, members, invitations, businesses, connections, the organization) check again at once.

## Versions

Versions are dates: ${VERSIONS.map((version) => `\`${version}\``).join(', ')}. Pin one with the header \`Service-Version\`. Every response names the version
it is written in. Without the header, or with an unknown value, you get \`${FLOOR_VERSION}\`, indefinitely. New fields, new values of enumerations and new error
codes are added without a new version: ignore fields you don't know, and treat unknown values as opaque strings.

### Changelog

${CHANGELOG}

## Limits

Requests are counted per key (per user for signed-in users, per address for unknown callers) in windows of a minute, a UTC day and an ISO week. The headers
\`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (UNIX seconds) are on every response, and again with the prefix \`X-\`; only an internal error
while our database is unavailable and the rejection of malformed HTTP have none. They describe
the window with the fewest requests left. The default plan allows each key 100 requests per minute, 2,000 per day and 10,000 per week. All keys of an
organization share five times that, or what its plan says: \`GET /api/plan\` shows the limits, and \`GET /api/usage\` what is used. Above a limit you get a
429: \`window\` names the window, \`limit_of\` says whose limit it is (\`key\`, \`organization\`, \`user\` or \`address\`), and \`Retry-After\` gives the seconds
to wait.

## Errors

Errors are \`application/problem+json\` (RFC 9457). \`code\` is for programs, \`detail\` is for people, \`param\` names the field that is wrong, and \`type\` is the
URL of a page that explains the code; [all codes](${DESCRIBED_BASE_URL}/errors) are on one page. A 422 lists every problem in \`errors\`. If your \`Accept\` header names
\`application/json\` but not \`application/problem+json\`, the error comes in an envelope: \`{"error": {…}}\`. A path that doesn't have the method you used responds with
405 and \`Allow\`. Quote \`request_id\` when you ask for help.

After a 429, a 500, a 502 or a broken connection, it is safe to retry reads and everything you sent with an \`Idempotency-Key\`.

## Idempotency

POSTs that create or publish take an \`Idempotency-Key\`: any unique text of up to 255 visible characters, such as a UUID. For 24 hours, a repeat with the same
key and the same body gets the first response, with \`Idempotency-Replayed: true\`, and nothing happens twice. A repeat while the first request is
running waits for it. The same key with a different body is rejected with 422 \`IDEMPOTENCY_KEY_CONFLICT\`. Keys belong to the organization. Successful
responses are stored, and so are rejections that depend on the body alone (\`validation_failed\`, \`missing_field\`). Any other rejection may be temporary: repeat
the request with the same key.

## Deletion

\`DELETE\` of a business or an organization stops publishing at once and begins a time in which everything can be read and exported, and restored as it was. Meanwhile changes are rejected with
409, except those that end something, such as unpublishing a post or revoking a key. After \`deletion.final_at\` everything is erased everywhere. Posts on the platforms stay there.
No event reports a deletion; the owners get an email. Events of an erased business are no longer in the feed, so their \`sequence\` numbers are missing from then on.

## Concurrent edits

Reads of a single resource carry an \`ETag\`. Send it as \`If-Match\` with an edit, and the edit is rejected with 412 if someone else changed the resource
first. Without \`If-Match\` the last edit wins. A PATCH changes only the fields it names. A read with \`If-None-Match\` responds with 304 if nothing has changed.

## Lists

Lists are newest first, except the posts of a queue, and come in pages: \`{"items": […], "next": "…"}\`. To get the next page, send \`next\` as \`cursor\` with the same filters. \`next\` is
null on the last page. A page can be shorter than its \`limit\` and still have a \`next\`. Cursors are opaque, and stay valid while rows are added.

## Events

[\`GET /api/events\`](#tag/events/GET/api/events) returns everything that happens to posts, accounts, media and jobs of your organization, oldest first: poll it instead of each
post. Process a page, store its \`next_cursor\`, and continue from there. Events are numbered in order, and kept for 30 days, so a program that was stopped
catches up with one loop. With \`wait=30\` the request waits for the next event; with \`Accept: text/event-stream\` you get a stream. A program that stops between
processing and storing the cursor sees those events again: compare the \`id\`, or the \`revision\` of the resource.

[\`POST /api/webhooks\`](#tag/webhooks/POST/api/webhooks) sends the same events to your URL. Verify the signature, respond with 2xx within 15 seconds, and work on the event afterwards. What
your server has missed is sent again for 24 hours, and by \`recover_webhook\` as long as events are kept.

## Text, times, ids

JSON is UTF-8 and at most 1 MiB; the text of a file is at most 8 MiB. Times are ISO 8601 in UTC with milliseconds; a time you send without an offset is UTC. Ids are
opaque strings, nearly all of them UUIDs. Fields and query parameters that an operation doesn't have are rejected with 422.
`.trim();
