import { connectors } from '@fanfare/connectors';
import { loadConfig } from './config.ts';

test('uses the LinkedIn version that the operator sets, like the publisher, or that of the connector', () => {
  expect(loadConfig({}).platforms.apiVersions).toEqual({ linkedin: connectors.linkedin.apiVersion?.version });
  expect(loadConfig({ LINKEDIN_VERSION: '202611' }).platforms.apiVersions).toEqual({ linkedin: '202611' });
  expect(() => loadConfig({ LINKEDIN_VERSION: 'latest' })).toThrow('LINKEDIN_VERSION: must be a year and a month');
});

test('platforms that charge for reads are not read unless the operator says so', () => {
  expect(connectors.x.reading?.rules.chargesForReads).toBe(true);
  expect([...loadConfig({}).readsOff]).toEqual(['x']);
  expect([...loadConfig({ READS_OFF: 'none' }).readsOff]).not.toContain('x');
  expect(() => loadConfig({ READS_OFF: 'myspace' })).toThrow('READS_OFF');
});
