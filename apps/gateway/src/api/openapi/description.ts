import { describeApi } from '../../http/openapi/describe-api.ts';
import { platformOptionSchemas } from '../platforms/platform-options.ts';
import { routes } from '../routes.ts';
import { describedWebhooks } from '../events/described-webhooks.ts';
import { CLIENT_LIBRARIES } from './client-libraries.ts';
import { INTRODUCTION } from './introduction.ts';
import { TAGS } from './tags.ts';

/** The OpenAPI description of the whole API, as in `openapi.json`. */
export const description = describeApi(routes, {
  introduction: INTRODUCTION,
  tags: TAGS,
  clientLibraries: CLIENT_LIBRARIES,
  webhooks: describedWebhooks,
  schemas: platformOptionSchemas,
});
