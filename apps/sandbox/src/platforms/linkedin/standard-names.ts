import { json, type Reply } from '../../wire/reply.ts';
import type { Operation } from '../platform.ts';
import { illegalArgument } from './errors.ts';
import { memberOperation, type MemberCall } from './linkedin-operation.ts';
import { listIn } from './rest-li.ts';

type Names = Readonly<Record<string, string>>;

/** Some of LinkedIn's standardized names, by id. */
const functions: Names = { 1: 'Accounting', 4: 'Business Development', 8: 'Engineering', 15: 'Marketing', 25: 'Sales' };
const industries: Names = { 4: 'Software Development', 23: 'Food and Beverage Manufacturing', 31: 'Hospitality', 32: 'Restaurants' };
const seniorities: Names = { 3: 'Entry', 4: 'Senior', 5: 'Manager', 6: 'Director', 9: 'Owner' };

const urns = (kind: string, ids: readonly string[]) => ids.map((id) => `urn:li:${kind}:${id}`);
const countries: Names = {
  ...{ 101282230: 'Germany', 103883259: 'Austria', 106693272: 'Switzerland', 105015875: 'France', 103644278: 'United States' },
};

/** The groups by which followers are counted. */
export const facets: readonly { readonly list: string; readonly key: string; readonly values: readonly string[] }[] = [
  { list: 'followerCountsByFunction', key: 'function', values: urns('function', Object.keys(functions)) },
  { list: 'followerCountsByIndustry', key: 'industry', values: urns('industry', Object.keys(industries)) },
  { list: 'followerCountsBySeniority', key: 'seniority', values: urns('seniority', Object.keys(seniorities)) },
  { list: 'followerCountsByGeoCountry', key: 'geo', values: urns('geo', Object.keys(countries)) },
  {
    list: 'followerCountsByStaffCountRange',
    key: 'staffCountRange',
    values: ['SIZE_1', 'SIZE_2_TO_10', 'SIZE_11_TO_50', 'SIZE_51_TO_200'],
  },
];

/** Names require no permission. */
export const nameOperations: Operation[] = [
  ...([
    ['functions', 'function', functions],
    ['industries', 'industry', industries],
    ['seniorities', 'seniority', seniorities],
    ['geo', 'geo', countries],
  ] as const),
].map(([path, kind, names]) =>
  memberOperation({
    name: `linkedin.list_${path}`,
    method: 'GET',
    path: `/rest/${path}`,
    query: ['ids'],
    handle: (call) => namesOf(call, kind, names),
  }),
);

/** Places have a different format. */
const named = (kind: string, name: string) =>
  kind === 'geo'
    ? { defaultLocalizedName: { locale: { country: 'US', language: 'en' }, value: name } }
    : { name: { localized: { en_US: name } } };

function namesOf(call: MemberCall, kind: string, names: Names): Reply {
  const ids = listIn(call, 'ids');
  const wrong = ids?.find((id) => !/^\d+$/.test(id));
  if (!ids || wrong !== undefined) throw illegalArgument(`ids: ${wrong ?? 'List(…)'} is expected to be a number`);
  const known = ids.filter((id) => Object.hasOwn(names, id));
  const missing = ids.filter((id) => !known.includes(id));
  return json(200, {
    statuses: {},
    results: Object.fromEntries(known.map((id) => [id, { id: Number(id), $URN: `urn:li:${kind}:${id}`, ...named(kind, names[id]!) }])),
    errors: Object.fromEntries(missing.map((id) => [id, { status: 404, message: `Could not find entity urn:li:${kind}:${id}` }])),
  });
}
