import { DESCRIBED_BASE_URL } from '../../http/openapi/described-base-url.ts';

/** From a key to a published post, in Markdown. The end-to-end tests run these commands. */
export const QUICKSTART = `
You publish a photo in five steps. You need \`curl\`, [\`jq\`](https://jqlang.org), a photo named \`bread.jpg\` and a business with a connected account.

**1. Set your API key.** An owner or admin of your organization creates one with [\`POST /api/keys\`](#tag/keys/POST/api/keys). Then find your business:

\`\`\`sh
export FANFARE_API_KEY=fk_…
AUTH="Authorization: Bearer $FANFARE_API_KEY"
API=${DESCRIBED_BASE_URL}/api
BUSINESS=$API/businesses/$(curl -s $API/businesses -H "$AUTH" \\
  | jq -r '.items[0].id')
\`\`\`

**2. Upload the photo.** The file is the last part of the form:

\`\`\`sh
MEDIA_ID=$(curl -s $BUSINESS/media -H "$AUTH" \\
  -F alt_text='A loaf of rye bread' -F file=@bread.jpg \\
  | jq -r .id)
\`\`\`

**3. Create the post.** \`restrict_publish_to\` names the platforms; without it the post goes to every connected account:

\`\`\`sh
POST_ID=$(curl -s $BUSINESS/posts -H "$AUTH" \\
  -H 'Content-Type: application/json' -d '{
    "caption": "Fresh bread from seven.",
    "media_ids": ["'$MEDIA_ID'"],
    "restrict_publish_to": ["facebook", "instagram"]
  }' | jq -r .id)
\`\`\`

**4. Publish it.** You get a response at once, and the post is sent in the background:

\`\`\`sh
POST=$BUSINESS/posts/$POST_ID
curl -s -X POST $POST/publish -H "$AUTH" | jq .publish_results
\`\`\`

**5. Wait for the results.** There is one for each account; each ends as \`success\`, with the URL of the post, or as \`failed\`, with the reason:

\`\`\`sh
while curl -s $POST -H "$AUTH" | jq -r .publish_status \\
  | grep -qx sending; do sleep 2; done
curl -s $POST -H "$AUTH" | jq .publish_results
\`\`\`

The same in TypeScript, with the client library \`@fanfare/sdk\`:

\`\`\`ts
import { readFile } from 'node:fs/promises';
import { createFanfare } from '@fanfare/sdk';

const fanfare = createFanfare({
  baseUrl: '${DESCRIBED_BASE_URL}',
  apiKey: process.env.FANFARE_API_KEY,
});
const [business] = await fanfare.businesses.list().toArray(1);
if (!business) throw new Error('Your organization has no business yet.');

const file = new File([await readFile('bread.jpg')], 'bread.jpg', { type: 'image/jpeg' });
const photo = await fanfare.media.upload(business.id, { file, alt_text: 'A loaf of rye bread' });
const draft = await fanfare.posts.create(business.id, {
  caption: 'Fresh bread from seven.',
  media_ids: [photo.id],
  restrict_publish_to: ['facebook', 'instagram'],
});
const post = await fanfare.posts.waitUntilPublished(await fanfare.posts.publish(business.id, draft.id));
console.log(post.publish_results);
\`\`\`

What next: [publish later](#tag/posts/POST/api/businesses/{business_id}/posts) with \`status\` \`SCHEDULED\` and \`scheduled_publish_time\`;
[check a post](#tag/posts/POST/api/businesses/{business_id}/posts/validate) against the rules of each platform before you send it;
[learn of results](#tag/events/GET/api/events) without polling each post;
[connect an account](#tag/integrations/POST/api/businesses/{business_id}/integrations/connect).
`.trim();
