import type { estypes } from '@elastic/elasticsearch';
import { type Minor, toDecimal } from '../../../kernel/money.ts';
import { compactId } from '../../../kernel/national-id.ts';
import type { MerchantPermission, OperatorPermission, Principal } from '../../../kernel/principal.ts';
import { isRequestId } from '../../../platform/http/schemas.ts';
import type { ReadStore } from '../../../platform/read-store/elastic.ts';
import { foldedPath } from '../../../platform/read-store/fields.ts';
import { inWords } from '../../../platform/read-store/list-query.ts';
import type { ReadView } from '../../../platform/read-store/read-view.ts';
import { type Conditions, placed, scopeOf, tenantCondition } from '../../../platform/read-store/scope.ts';
import { aliasOf, type View } from '../../../platform/read-store/view.ts';
import { whileAnswering } from '../../../platform/read-store/while-answering.ts';
import { CHARGES_VIEW } from '../../charges/read/charge.view.ts';
import { USERS_VIEW } from '../../identity/read/user.view.ts';
import { MERCHANTS_VIEW } from '../../merchants/read/merchant.view.ts';
import { NOTES_VIEW } from '../../notes/read/note.view.ts';
import { noteScope } from '../../notes/read/note-scope.ts';
import { PAYOUT_REQUESTS_VIEW } from '../../payouts/read/payout-request.view.ts';
import { REFUNDS_VIEW } from '../../refunds/read/refund.view.ts';
import { EVENTS_VIEW } from '../../webhooks/read/event.view.ts';

/** The most matches of each type in an answer. */
export const MATCHES_OF_A_TYPE = 5;

/** Members of the found documents that matches show. */
type Found = {
  readonly id: string;
  readonly merchantId?: string | null;
  readonly status?: string;
  readonly amount?: Minor;
  readonly currency?: string;
  readonly customer?: { readonly name: string };
  readonly chargeId?: string;
  readonly legalName?: string;
  readonly masterId?: string | null;
  readonly resource?: string;
  readonly resourceId?: string;
  readonly text?: string | null;
  readonly email?: string;
  readonly name?: string | null;
  readonly disabled?: boolean;
  readonly createdAt: string;
};

/** Members by which a record is found, in the order in which one of several is told. */
export const MATCHED = [
  ...['id', 'reference', 'email', 'document', 'provider_reference', 'digits', 'record', 'request', 'name'],
  'words',
] as const;
type Matched = (typeof MATCHED)[number];

type Query = estypes.QueryDslQueryContainer;
type Named = readonly [by: Matched, query: Query];

/** A type of records that callers with this permission may search; with `usersOnly` only users, not keys. */
type Kind = {
  readonly view: View;
  readonly merchant: MerchantPermission | 'any' | null;
  readonly operator: OperatorPermission | 'any';
  readonly usersOnly?: true;
  /** Set where the scope differs from the caller's environment and merchants. */
  readonly within?: (principal: Principal) => Conditions;
  readonly matching: (text: string) => readonly Named[];
  readonly title: (found: Found) => string;
  /** Absent where the record has a status of its own. */
  readonly status?: (found: Found) => string;
};

const same = (field: string, text: string): Query => ({ term: { [field]: text } });
/** Records that are also found by the record that they are about, and titled with it. */
const about = (field: 'chargeId' | 'merchantId'): Pick<Kind, 'matching' | 'title'> => ({
  matching: (text) => [
    ['id', same('id', text)],
    ['record', same(field, text)],
  ],
  title: (found) => found[field] ?? '',
});
/** The most characters of a note that are shown. */
const TITLE_LENGTH = 120;
const name = ({ legalName = '' }: Found): string => legalName;

const ofMerchants = (text: string): readonly Named[] => [
  ['id', same('id', text)],
  ['email', same('email', text)],
  ['document', same('companyTaxId', compactId(text))],
  ['name', inWords(`${foldedPath('legalName')}.words`, text)],
];

const KINDS = {
  charge: {
    view: CHARGES_VIEW,
    merchant: 'charges.read',
    operator: 'admin.charges.read',
    matching: (text) => [
      ['id', same('id', text)],
      ['provider_reference', same('pspRefId', text)],
      ['reference', same('reference', text)],
      ['email', same('customer.email', text)],
      ['digits', same('readOff', text)],
      // Charges of former versions have the document with the punctuation that was sent.
      ['document', { terms: { 'customer.document': [text, compactId(text)] } }],
      ['words', inWords('words', text)],
    ],
    title: ({ customer }) => customer?.name ?? '',
  },
  refund: {
    view: REFUNDS_VIEW,
    merchant: 'charges.read',
    operator: 'admin.charges.read',
    ...about('chargeId'),
  },
  payout_request: {
    view: PAYOUT_REQUESTS_VIEW,
    merchant: 'payouts.read',
    operator: 'admin.payout_requests.read',
    usersOnly: true,
    ...about('merchantId'),
  },
  submerchant: {
    view: MERCHANTS_VIEW,
    merchant: 'submerchants.manage',
    operator: 'admin.merchants.read',
    within: (principal) => [
      { exists: { field: 'masterId' } },
      { term: { livemode: principal.livemode } },
      ...(principal.kind === 'merchant'
        ? [...tenantCondition(principal.merchantId), { term: { masterId: principal.merchantId } }]
        : []),
    ],
    matching: ofMerchants,
    title: name,
  },
  merchant: {
    view: MERCHANTS_VIEW,
    merchant: null,
    operator: 'admin.merchants.read',
    within: () => [{ bool: { must_not: [{ exists: { field: 'masterId' } }] } }],
    matching: ofMerchants,
    title: name,
  },
  note: {
    view: NOTES_VIEW,
    merchant: 'any',
    operator: 'any',
    within: noteScope,
    matching: (text) => [
      ['id', same('id', text)],
      ['record', same('resourceId', text)],
      ['words', inWords('words', text)],
    ],
    title: ({ text }) => (text ?? '').slice(0, TITLE_LENGTH),
    status: ({ resource = '' }) => resource,
  },
  user: {
    view: USERS_VIEW,
    merchant: 'users.manage',
    operator: 'admin.users.update',
    usersOnly: true,
    within: (principal) =>
      principal.kind === 'merchant' ? [{ term: { merchantId: principal.merchantId } }] : [],
    matching: (text) => [
      ['id', same('id', text)],
      ['email', same('email', text)],
      ['name', inWords(`${foldedPath('name')}.words`, text)],
    ],
    title: ({ name: called, email = '' }) => called ?? email,
    status: ({ disabled }) => (disabled ? 'disabled' : 'active'),
  },
} as const satisfies Readonly<Record<string, Kind>>;

type MatchType = keyof typeof KINDS;
export const MATCH_TYPES = Object.keys(KINDS) as readonly MatchType[];

/** A record that was found. */
export type Match = {
  readonly type: MatchType;
  readonly id: string;
  /** Null for a user who works for the gateway. */
  readonly merchantId: string | null;
  readonly title: string;
  readonly status: string;
  readonly amount: number | null;
  readonly currency: string | null;
  /** The record that a note is about; null for other types. */
  readonly resourceId: string | null;
  readonly matched: Matched;
  readonly createdAt: string;
};

const isSearchedBy = (
  { merchant, operator, usersOnly }: Kind,
  { kind, credential, permissions }: Principal,
): boolean => {
  const needed = kind === 'merchant' ? merchant : operator;
  const held: readonly string[] = permissions;
  return (
    needed !== null && (needed === 'any' || held.includes(needed)) && !(usersOnly && credential !== 'user')
  );
};

const present = (type: MatchType, { title, status }: Kind, found: Found, by: readonly string[]): Match => {
  const { id, merchantId = id, amount, currency, resourceId, createdAt } = found;
  const isMoney = amount !== undefined && currency !== undefined;
  return {
    type,
    id,
    merchantId,
    title: title(found),
    status: status ? status(found) : (found.status ?? ''),
    amount: isMoney ? toDecimal(amount, currency) : null,
    currency: isMoney ? currency : null,
    resourceId: type === 'note' ? (resourceId ?? null) : null,
    matched: MATCHED.find((one) => by.includes(one)) ?? 'words',
    createdAt,
  };
};

/** Queries by whose names the read store says which of them a record has met. */
const namedIn = (queries: readonly Named[]): Query[] =>
  queries.map(([by, query]) => ({ bool: { _name: by, filter: [query] } }));

/** Finds the records that a text identifies, of the types that the caller may read; the newest of each type first. */
export type FindMatches = (
  principal: Principal,
  text: string,
  consistencyToken: string | null,
) => Promise<readonly Match[]>;

const EVENTS = EVENTS_VIEW;

/** Finds the records that the request with this id changed; empty where the text is no request id. */
const findChanged = async (
  { readStore, readView }: { readonly readStore: ReadStore; readonly readView: ReadView },
  principal: Principal,
  text: string,
  consistencyToken: string | null,
): Promise<readonly string[]> => {
  if (!isRequestId(text)) return [];
  await readView.ready(EVENTS, consistencyToken);
  const ofRequest = { terms: { requestId: [text, text.toLowerCase()] } };
  const { filter, ...place } = placed(EVENTS, [...scopeOf(principal), ofRequest]);
  const searching = readStore.client.search<{ readonly resourceId: string }>({
    index: aliasOf(readStore, EVENTS),
    ...place,
    query: { bool: { filter } },
    _source: ['resourceId'],
    size: 4 * MATCHES_OF_A_TYPE,
  });
  const { hits } = await whileAnswering(readStore, searching);
  return hits.hits.flatMap(({ _source }) => (_source ? [_source.resourceId] : []));
};

/**
 * Searches all types with one request to the read store. Where the text is a request id, another one finds its records
 * first.
 */
export const createFindMatches =
  ({ readStore, readView }: { readonly readStore: ReadStore; readonly readView: ReadView }): FindMatches =>
  async (principal, text, consistencyToken) => {
    const kinds = (Object.entries(KINDS) as readonly (readonly [MatchType, Kind])[]).filter(([, kind]) =>
      isSearchedBy(kind, principal),
    );
    if (kinds.length === 0) return [];
    const ids = await findChanged({ readStore, readView }, principal, text, consistencyToken);
    const ofRequest: readonly Named[] = ids.length === 0 ? [] : [['request', { terms: { id: [...ids] } }]];
    await Promise.all(
      [...new Set(kinds.map(([, { view }]) => view))].map((view) => readView.ready(view, consistencyToken)),
    );
    const searches = kinds.flatMap(([, { view, within = scopeOf, matching }]) => {
      const { filter, ...place } = placed(view, within(principal));
      return [
        { index: aliasOf(readStore, view), ...place },
        {
          query: {
            bool: {
              filter,
              should: namedIn([...matching(text), ...ofRequest]),
              minimum_should_match: 1,
            },
          },
          sort: [{ id: { order: 'desc' as const } }],
          size: MATCHES_OF_A_TYPE,
          track_total_hits: false,
        },
      ];
    });
    const { responses } = await whileAnswering(readStore, readStore.client.msearch<Found>({ searches }));
    return kinds.flatMap(([type, kind], index) => {
      const answer = responses[index];
      if (!answer || 'error' in answer)
        throw new Error(`the search of ${type} failed: ${answer?.error.reason}`);
      return answer.hits.hits.flatMap(({ _source, matched_queries: by }) =>
        _source ? [present(type, kind, _source, Array.isArray(by) ? by : [])] : [],
      );
    });
  };
