import { connectors } from '@fanfare/connectors';
import { loadConfig } from './config.ts';

test('uses the LinkedIn version that the operator sets, like the publisher, or that of the connector', () => {
  expect(loadConfig({}).platforms.apiVersions).toEqual({ linkedin: connectors.linkedin.apiVersion?.version });
  expect(loadConfig({ LINKEDIN_VERSION: '202611' }).platforms.apiVersions).toEqual({ linkedin: '202611' });
  expect(() => loadConfig({ LINKEDIN_VERSION: 'latest' })).toThrow('LINKEDIN_VERSION: must be a year and a month');
});
