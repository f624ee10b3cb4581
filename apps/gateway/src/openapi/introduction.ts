import { FLOOR_VERSION, VERSIONS } from '../versions/index.ts';

/** What every caller should know, in Markdown; heads the description and the docs page. */
export const INTRODUCTION = `
Create posts, and publish them to the connected social accounts of a business. Everything is JSON over HTTP.

Every business has an id, and everything that belongs to it lives under \`/api/businesses/{business_id}\`. Begin with \`GET /api/businesses\`.

## Authentication

Send \`Authorization: Bearer fk_…\`. An API key belongs to one organization and has full access to all that is in it, except what is for people:
each operation says whether it is for API keys. A user sends an access token in the same way; what they may do depends
on their role in the organization that a request is about. Who belongs to several organizations names one by \`organization_id\` where an
operation has that parameter.

A credential that was seen to work is believed for 3 seconds. So a revoked key, an ended session, another role or another plan takes effect everywhere within
5 seconds, and at once for changes that only owners, admins and keys may make (keys, members, invitations, businesses, connections, the organization): those ask anew.

## Versions

Versions are dates: ${VERSIONS.map((version) => `\`${version}\``).join(', ')}. Pin one by the header \`Service-Version\`; every answer says which
one it is written in. Without the header, or with a value that is unknown, \`${FLOOR_VERSION}\` is served, for ever. New fields, new values of
enumerations and new error codes appear without a new version: ignore fields that you do not know, and treat unknown values as opaque strings.
From \`2026-07-17\` on, single reads, updates and pages have a member \`self\` with their own URL.

## Limits

Requests are counted for each key (or user, or address where neither is known) in windows of a minute, a UTC day and an ISO week. The headers
\`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (UNIX seconds), and the same with \`X-\` before them, describe the window with the fewest
requests left, on every answer. The default plan has 100 requests a minute, 2,000 a day and 10,000 a week for each key. All keys of an organization share five times
that, or what the plan says: \`GET /api/plan\` tells the limits, \`GET /api/usage\` what is used. Beyond them the answer is a 429 that names
the window in \`window\`, whose limit it is in \`limit_of\` (\`key\`, \`organization\`, \`user\` or \`address\`), and \`Retry-After\` gives the seconds to wait.

## Errors

Errors are \`application/problem+json\` (RFC 9457): \`code\` is for programs, \`detail\` for people, \`param\` names what is wrong, and \`type\` is the URL
of a page about the code. A 422 lists every problem in \`errors\`. Callers whose \`Accept\` names \`application/json\` but not
\`application/problem+json\` get the same in an envelope, \`{"error": {…}}\`. A path that is there answers a method that it lacks with 405 and \`Allow\`.
Quote \`request_id\` when you ask for help. To retry is safe for reads, and for anything with an \`Idempotency-Key\`: after a 429, a 500 or a 502, or when
the connection broke.

## Idempotency

POSTs that create or publish take an \`Idempotency-Key\`, any unique text of up to 255 visible characters. For 24 hours a repeat with the same key and
the same body gets the first answer, with \`Idempotency-Replayed: true\`, and nothing happens twice; a repeat while the first is running waits for it.
The same key with another body is refused with 422 \`IDEMPOTENCY_KEY_CONFLICT\`. Keys belong to the organization. Kept are successes, and
refusals that lie in the body alone (\`validation_failed\`, \`missing_field\`); whatever else is refused may pass: repeat it with the same key.

## Concurrent edits

Reads of a single resource carry an \`ETag\`. Send it in \`If-Match\` with an edit, and the edit is refused with 412 when somebody else was there
first; without \`If-Match\` the last one wins. A PATCH changes only what it names. \`If-None-Match\` on a read answers 304 when nothing has changed.

## Lists

Lists are newest first and come in pages, \`{"items": […], "next": "…"}\`. Give \`next\` as \`cursor\` to get the next page, with the same filters; \`next\` is
null on the last one. A page may be shorter than its \`limit\` and still have a \`next\`. Cursors are opaque, and stay good while rows are added.

## Text, times, ids

JSON is UTF-8, of at most 1 MiB; texts of files have 8 MiB. Times are ISO 8601 in UTC with milliseconds; a time that you send without an offset is UTC. Ids are opaque strings,
nearly all UUIDs. Fields and query parameters that an operation does not have are refused with 422.
`.trim();
